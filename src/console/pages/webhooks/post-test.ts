import { api, replyOf } from "../../api/client.ts";

/** What a test was answered with, whether it would be carried out or refused. */
export interface TestAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Posts the text as the charting platform would, which need not be JSON. */
export async function postTest(id: string, text: string): Promise<TestAnswer> {
  const asked = api.POST("/v1/webhooks/{id}/test", {
    params: { path: { id } },
    headers: { "Content-Type": "text/plain" },
    body: {},
    bodySerializer: () => text,
  });
  const { data, error, response } = await replyOf(asked);
  return { status: response.status, body: data ?? error };
}
