// The client of `tschema lsp`: starts the server for a workspace with a tschema.toml.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SELECTOR = ["python", "cpp", "cuda-cpp", "rust"].map((language) => ({
  scheme: "file",
  language,
}));

/** @type {LanguageClient | undefined} */
let client;

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("tschema.restart", restart),
    vscode.commands.registerCommand("tschema.showReferences", showReferences),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("tschema.command")) {
        restart();
      }
    })
  );
  await start();
}

async function deactivate() {
  await client?.stop();
}

async function start() {
  const [command, ...args] = vscode.workspace.getConfiguration("tschema").get("command");
  const folder = vscode.workspace.workspaceFolders?.[0];
  const server = { command, args, options: { cwd: folder?.uri.fsPath } };
  const watched = vscode.workspace.createFileSystemWatcher("**/{*.py,tschema.toml}");
  client = new LanguageClient("tschema", "tschema", server, {
    documentSelector: SELECTOR,
    synchronize: { fileEvents: watched },
  });
  try {
    await client.start();
  } catch (error) {
    const text = `cannot start \`${[command, ...args].join(" ")}\`: ${error.message ?? error}`;
    vscode.window.showErrorMessage(`${text}. Set "tschema.command", or run: pip install 'tschema[lsp]'`);
  }
}

async function restart() {
  await client?.dispose();
  await start();
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
