import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { PersistentVolumeClaim } from "kubernetes-models/v1/PersistentVolumeClaim";
import { Service } from "kubernetes-models/v1/Service";
import { ServiceMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor";

/** Any manifest, as it was written. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Labels };
}
export type Labels = Readonly<Record<string, string>>;

const MODELS = [
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
  ServiceMonitor,
];

/**
 * What is wrong with a manifest by its published schema. A field that the schema does not have is wrong
 * too: Kubernetes drops it, and what it was for is missing.
 */
export function faultsOf(manifest: Manifest): readonly string[] {
  const { apiVersion, kind } = manifest;
  const model = MODELS.find((one) => one.apiVersion === apiVersion && one.kind === kind);
  if (model === undefined) return [`there is no schema of ${kind} in ${apiVersion}`];
  const unread = new Set<string>();
  try {
    (model.prototype.validate as () => void).call(watched(manifest, kind, unread));
  } catch (error) {
    return [String(error)];
  }
  return [...unread].map((path) => `${path} is no field`);
}

/** The published checks are code, which reads the fields that it knows and no other one. */
function watched<Value>(value: Value, path: string, unread: Set<string>): Value {
  if (typeof value !== "object" || value === null) return value;
  const children = new Map<string, unknown>();
  for (const key of Object.keys(value)) unread.add(`${path}.${key}`);
  return new Proxy(value, {
    get: (target, key) => {
      const child: unknown = Reflect.get(target, key);
      if (typeof key !== "string" || !Object.hasOwn(target, key)) return child;
      if (!children.has(key)) {
        unread.delete(`${path}.${key}`);
        children.set(key, watched(child, `${path}.${key}`, unread));
      }
      return children.get(key);
    },
  });
}
