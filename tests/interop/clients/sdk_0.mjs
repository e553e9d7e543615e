// Calls a service with @a2a-js/sdk 0.3 and prints what it saw, as JSON.

import { randomUUID } from "node:crypto";
import { ClientFactory } from "a2a-sdk-0/client";

const [url, text] = process.argv.slice(2);

const request = (value) => ({
  message: {
    kind: "message",
    messageId: randomUUID(),
    role: "user",
    parts: [{ kind: "text", text: value }],
  },
});

const texts = (artifacts) =>
  artifacts.flatMap((artifact) => artifact.parts.map((part) => part.text));
const told = (task) => [
  task.status.state,
  ...texts(task.artifacts),
  task.metadata?.door ?? "",
];
const happened = (answer) =>
  answer.kind === "artifact-update" ? texts([answer.artifact]) : [answer.status.state];

async function streamed(client) {
  const seen = [];
  for await (const answer of client.sendMessageStream(request(text))) {
    seen.push(...happened(answer));
  }
  return seen;
}

// Cancels a task once it works: the answer, and the stream's end.
async function canceled(client) {
  let answered = "";
  let last = "";
  for await (const answer of client.sendMessageStream(request("wait"))) {
    last = happened(answer).at(-1);
    if (last === "working" && answered === "") {
      answered = (await client.cancelTask({ id: answer.taskId })).status.state;
    }
  }
  return [answered, last];
}

async function refused(call) {
  try {
    await call();
    return "not refused";
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

const client = await new ClientFactory().createFromUrl(url);
const task = await client.sendMessage(request(text));
const seen = {
  card: (await client.getAgentCard()).name,
  unary: told(task),
  stream: await streamed(client),
  task: told(await client.getTask({ id: task.id })),
  cancel: await canceled(client),
  refusals: [
    await refused(() => client.sendMessage(request("refuse"))),
    await refused(() => client.sendMessageStream(request("refuse")).next()),
  ],
};
console.log(JSON.stringify(seen));
