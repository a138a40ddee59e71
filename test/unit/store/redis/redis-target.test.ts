import { describe, expect, test } from "vitest";
import { redisTarget } from "../../../../src/store/redis/redis-target.ts";

const at = (host: string, port: number) => ({ host, port });

test.each([
  ["/run/redis.sock", { path: "/run/redis.sock" }],
  ["unix:/run/redis.sock", { path: "/run/redis.sock" }],
  ["unix:///run/redis.sock", { path: "/run/redis.sock" }],
  ["redis://a", { url: "redis://a" }],
  ["rediss://me:it@a:1/0", { url: "rediss://me:it@a:1/0" }],
])("%s is one server", (url, target) => {
  expect(redisTarget(url)).toEqual(target);
});

describe("a Cluster", () => {
  test.each([
    ["redis://a:1,b,[::1]:3", [at("a", 1), at("b", 6379), at("::1", 3)]],
    ["redis://a:1,redis://b:2/", [at("a", 1), at("b", 2)]],
    ["redis+cluster://all-nodes", [at("all-nodes", 6379)]],
    ["redis+cluster://a:1,b:2", [at("a", 1), at("b", 2)]],
  ])("%s", (url, nodes) => {
    expect(redisTarget(url)).toEqual({ url, tls: false, nodes });
  });

  test("has a login and TLS", () => {
    const login = { username: "me", password: "p@:,s" };
    const nodes = [at("a", 1)];
    const url = "rediss+cluster://me:p%40:%2Cs@a:1";
    expect(redisTarget(url)).toEqual({ url, tls: true, nodes, ...login });
  });
});

describe("Sentinels", () => {
  test("name their master", () => {
    const url = "redis+sentinel://a,b:2/it";
    const sentinels = [at("a", 26_379), at("b", 2)];
    expect(redisTarget(url)).toEqual({ url, tls: false, name: "it", sentinels });
  });

  test("have a login of their own", () => {
    const url = "rediss+sentinel://:one@a/it?sentinel_username=me&sentinel_password=two";
    expect(redisTarget(url)).toEqual({
      url,
      tls: true,
      name: "it",
      sentinels: [at("a", 26_379)],
      password: "one",
      sentinelUsername: "me",
      sentinelPassword: "two",
    });
  });
});

test.each([
  "redis://a:1,:2",
  "redis://a:1,b c",
  "redis+cluster://a:b",
  "redis://a,b/1",
  "redis+cluster://a/0",
  "redis+sentinel://a/it/1",
  "redis+sentinel://a",
  "redis://:100%@a,b",
])("%s names none", (url) => {
  expect(() => redisTarget(url)).toThrow("REDIS_URL: ");
});

test.each([
  ["redis://:ab/cd@a,b", "ab/cd"],
  ["redis://me:p@ss@a,b", "p@ss"],
  ["redis+cluster://:12/34@a:1", "12/34"],
  ["redis+sentinel://:p@s/s@a,b/it", "p@s/s"],
])("%s has the password %s, and shows it nowhere", (url, password) => {
  expect(redisTarget(url)).toMatchObject({ password });
  const broken = url.replace("a,b", "a,b c").replace("a:1", "a:x");
  expect(() => redisTarget(broken)).toThrow(/^((?!p@s|12.34|ab.cd).)*$/);
});

test("a comma in a password makes no Cluster of one server", () => {
  expect(redisTarget("redis://:a,b@h")).toEqual({ url: "redis://:a,b@h" });
});
