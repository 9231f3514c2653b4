// The clients of `tschema lsp`, for schema files, and of `uir lsp`, for script.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SERVERS = [
  {
    name: "tschema",
    languages: ["python", "cpp", "cuda-cpp", "rust"],
    watched: "**/{*.py,tschema.toml}",
    files: "**/tschema.toml",
  },
  { name: "uir", languages: ["uir-script", "python"], files: "**/*.uir" },
];

/** @type {Map<string, LanguageClient>} */
const clients = new Map();

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("tschema.restart", restart),
    vscode.commands.registerCommand("tschema.showReferences", showReferences),
    vscode.workspace.onDidOpenTextDocument(startForScript),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (SERVERS.some((server) => event.affectsConfiguration(`${server.name}.command`))) {
        restart();
      }
    })
  );
  for (const server of SERVERS) {
    const found = await vscode.workspace.findFiles(server.files, undefined, 1);
    if (found.length > 0) {
      await start(server);
    }
  }
  await Promise.all(vscode.workspace.textDocuments.map(startForScript));
}

async function deactivate() {
  await Promise.all([...clients.values()].map((client) => client.stop()));
}

/** Start `uir lsp` at the first file of script, which need not be in the folder. */
async function startForScript(document) {
  const server = SERVERS.find((one) => one.name === "uir");
  if (document.languageId === "uir-script" && !clients.has(server.name)) {
    await start(server);
  }
}

async function start({ name, languages, watched }) {
  const [command, ...args] = vscode.workspace.getConfiguration(name).get("command");
  const folder = vscode.workspace.workspaceFolders?.[0];
  const options = { documentSelector: languages.map((language) => ({ scheme: "file", language })) };
  if (watched) {
    options.synchronize = { fileEvents: vscode.workspace.createFileSystemWatcher(watched) };
  }
  const server = { command, args, options: { cwd: folder?.uri.fsPath } };
  const client = new LanguageClient(name, name, server, options);
  clients.set(name, client);
  try {
    await client.start();
  } catch (error) {
    const text = `cannot start \`${[command, ...args].join(" ")}\`: ${error.message ?? error}`;
    const help = `Set "${name}.command", or run: pip install '${name}[lsp]'`;
    vscode.window.showErrorMessage(`${text}. ${help}`);
  }
}

async function restart() {
  const started = SERVERS.filter((server) => clients.has(server.name));
  await Promise.all(started.map((server) => clients.get(server.name).dispose()));
  clients.clear();
  await Promise.all(started.map(start));
}

/** Show the users of a declaration, when its code lens is clicked. */
async function showReferences(uri, position) {
  const target = vscode.Uri.parse(uri);
  const place = new vscode.Position(position.line, position.character);
  const found = await vscode.commands.executeCommand(
    "vscode.executeReferenceProvider",
    target,
    place
  );
  await vscode.commands.executeCommand("editor.action.showReferences", target, place, found);
}

module.exports = { activate, deactivate };
