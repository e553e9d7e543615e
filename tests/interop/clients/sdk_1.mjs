// Calls a service with @a2a-js/sdk 1.x and prints what it saw, as JSON.

import { randomUUID } from "node:crypto";
import { Role, TaskState } from "a2a-sdk-1";
import { ClientFactory } from "a2a-sdk-1/client";

const [url, text] = process.argv.slice(2);

const request = (value) => ({
  tenant: "",
  message: {
    messageId: randomUUID(),
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts: [{ content: { $case: "text", value }, filename: "", mediaType: "" }],
    extensions: [],
    referenceTaskIds: [],
  },
});

// A state in A2A 0.3's spelling.
const name = (state) => TaskState[state].replace("TASK_STATE_", "").toLowerCase();
const texts = (artifacts) =>
  artifacts.flatMap((artifact) => artifact.parts.map((part) => part.content.value));
const told = (task) => [
  name(task.status.state),
  ...texts(task.artifacts),
  task.metadata?.door ?? "",
];
const happened = ({ payload }) =>
  payload.$case === "artifactUpdate"
    ? texts([payload.value.artifact])
    : [name(payload.value.status.state)];

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
      const id = answer.payload.value.taskId;
      answered = name((await client.cancelTask({ tenant: "", id })).status.state);
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
  task: told(await client.getTask({ tenant: "", id: task.id })),
  cancel: await canceled(client),
  refusals: [
    await refused(() => client.sendMessage(request("refuse"))),
    await refused(() => client.sendMessageStream(request("refuse")).next()),
  ],
};
console.log(JSON.stringify(seen));
