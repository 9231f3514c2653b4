// Runs the extension with recording substitutes of VS Code and of its client.
// In: its file, and a scenario as JSON.  Out: the events, a line of JSON each.
"use strict";

const Module = require("module");

const [file, text] = process.argv.slice(2);
const scenario = JSON.parse(text);
const listeners = {};

const say = (event) => console.log(JSON.stringify(event));
const listen = (name) => (listener) => (listeners[name] = listener);

class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { id, server, languages: options.documentSelector.map((one) => one.language) });
  }
  async start() {
    if (scenario.missing) {
      throw new Error("spawn ENOENT");
    }
    say({ start: this.id, command: [this.server.command, ...this.server.args], languages: this.languages });
  }
  async stop() {
    say({ stop: this.id });
  }
  async dispose() {
    await this.stop();
  }
}

const vscode = {
  commands: { registerCommand: (name, command) => (listeners[name] = command) },
  window: { showErrorMessage: (message) => say({ error: message }) },
  workspace: {
    textDocuments: [],
    createFileSystemWatcher: (pattern) => pattern,
    findFiles: async (pattern) => (scenario.files.includes(pattern) ? ["file"] : []),
    getConfiguration: (name) => ({ get: () => scenario.commands?.[name] ?? [name, "lsp"] }),
    onDidChangeConfiguration: listen("configuration"),
    onDidOpenTextDocument: listen("open"),
  },
};

const load = Module._load;
Module._load = (name, ...rest) =>
  name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);

async function main() {
  const { activate, deactivate } = require(file);
  await activate({ subscriptions: [] });
  for (const languageId of scenario.opened ?? []) {
    await listeners.open({ languageId });
  }
  if (scenario.restarted) {
    await listeners["tschema.restart"]();
  }
  await deactivate();
}

main();
