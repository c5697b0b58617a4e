#!/usr/bin/env bash
# Drives the command against MCP servers as their makers publish them, with a
# client and a conformance suite that know nothing of this project:
#
#   - run: a program reads files of this repository through the filesystem
#     server, filters and counts them, and writes what it found into the memory
#     server; the counts are compared with what grep and wc say.
#   - serve: the inspector lists the tools and calls execute_js, over standard
#     streams and over HTTP.
#   - serve over HTTP passes the conformance suite, save what the baseline file
#     names with its reason.
#
# The packages are pinned in scripts/real-servers and kept in a cache outside the
# repository. Needs go and npm.
set -euo pipefail

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
pins=$repo/scripts/real-servers
work=$(mktemp -d)
served=
cleanup() {
  if [ -n "$served" ]; then kill "$served" 2>/dev/null || true; wait "$served" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
trap 'printf "stopped at line %s; the error stream ended with:\n" "$LINENO" >&2; tail -n 20 "$work/stderr" >&2 2>/dev/null || true' ERR

step() { printf '\n-- %s\n' "$*"; }
fail() { printf 'FAIL: %s\n' "$*" >&2; exit 1; }
# same WHAT GOT WANT
same() { [ "$2" = "$3" ] || fail "$1: got $(printf '%q' "$2"), want $(printf '%q' "$3")"; printf 'ok: %s\n' "$1"; }
# has WHAT TEXT PART
has() { case $2 in *"$3"*) printf 'ok: %s\n' "$1" ;; *) fail "$1: no $(printf '%q' "$3") in: $2" ;; esac; }
# json FIELDS < DOCUMENT: the value at a path, as node reads it
json() { node -e 'let v = JSON.parse(require("fs").readFileSync(0, "utf8")); for (const k of process.argv.slice(1)) v = v[k]; process.stdout.write(typeof v === "string" ? v : JSON.stringify(v))' "$@"; }

step "install the pinned packages"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/polyglove/real-servers-$(cat "$pins"/package*.json | sha256sum | cut -c1-16)
if [ ! -e "$cache/complete" ]; then
  mkdir -p "$cache"
  cp "$pins"/package.json "$pins"/package-lock.json "$cache"/
  # The platform's own node comes as a package: the suite and the inspector need a
  # newer one than many systems have. Other platforms' are optional and left out.
  npm install --prefix "$cache" --ignore-scripts --no-audit --no-fund --loglevel=error
  touch "$cache/complete"
fi
bin=$cache/node_modules/.bin
for dir in "$cache"/node_modules/node-linux-*/bin; do
  if "$dir/node" --version >/dev/null 2>&1; then PATH=$dir:$PATH; fi
done
printf 'node %s\n' "$(node --version)"

step "build the command"
poly=$work/polyglove
(cd "$repo" && go build -o "$poly" ./cmd/polyglove)

# The tree that the filesystem server may see is a copy: a fixed set of files,
# whatever else lies about in a working tree.
tree=$work/tree
mkdir -p "$tree"
(cd "$repo" && git ls-files -z | xargs -0 cp --parents -t "$tree")
export HOST_ONLY_SECRET=never-to-be-seen
cat > "$work/mcp.json" <<EOF
{
  "mcpServers": {
    "everything": {"command": "$bin/mcp-server-everything", "args": ["stdio"]},
    "files": {"type": "stdio", "command": "$bin/mcp-server-filesystem", "args": ["\${REAL_SERVERS_TREE}"]},
    "memory": {"command": "$bin/mcp-server-memory", "env": {"MEMORY_FILE_PATH": "\${REAL_SERVERS_WORK:-/nowhere}/memory.json"}},
    "broken": {"command": "no-such-mcp-server"}
  },
  "polyglove": {"policy": {"deny": ["files.write_file", "files.edit_file", "files.move_file", "files.create_directory"]}}
}
EOF
export REAL_SERVERS_TREE=$tree REAL_SERVERS_WORK=$work
mcp() { "$poly" "$1" --config "$work/mcp.json" "${@:2}" 2>>"$work/stderr"; }

step "inspect: three servers work beside a broken one"
servers=$(mcp inspect --only servers)
printf '%s\n' "$servers" | grep -v ^warning
for name in everything files memory; do has "$name is mounted" "$servers" "$name "; done
has "the broken server is named" "$servers" "broken"
has "and told on the error stream" "$(cat "$work/stderr")" 'server "broken" is not connected: the command "no-such-mcp-server" was not found'

step "run: read, filter, count, write"
cat > "$work/report.js" <<'EOF'
const found = files.search_files({path: root, pattern: "**/*.go"}).content.split("\n");
const sources = found.filter(p => p.endsWith(".go") && !p.endsWith("_test.go"));
const counted = [];
for (let i = 0; i < sources.length; i += 20) {
  for (const path of sources.slice(i, i + 20)) {
    const text = files.read_text_file({path}).content;
    const exported = text.split("\n").filter(l => /^func (\([a-z]+ \*?[A-Z]\w*\) )?[A-Z]/.test(l)).length;
    counted.push({path, exported});
  }
}
const total = counted.reduce((n, c) => n + c.exported, 0);
counted.sort((a, b) => b.exported - a.exported || (a.path < b.path ? -1 : 1));
memory.create_entities({entities: counted.slice(0, 5).map(c => ({
  name: c.path.slice(root.length + 1), entityType: "source", observations: ["exports " + c.exported]
}))});
({files: sources.length, exported: total, top: counted[0].path.slice(root.length + 1)})
EOF
{ printf 'const root = %s;\n' "$(printf '%s' "$tree" | node -e 'process.stdout.write(JSON.stringify(require("fs").readFileSync(0, "utf8")))')"; cat "$work/report.js"; } > "$work/program.js"
report=$(mcp run --file "$work/program.js" --limit calls=5000 --limit fuel=200000000 --limit memory=1000000000 --json)
printf '%s\n' "$report" | cut -c1-400
sources() { find "$tree" -name '*.go' ! -name '*_test.go' -print0; }
same "the number of files" "$(json value files <<<"$report")" "$(sources | tr -cd '\0' | wc -c)"
same "the number of exported functions" "$(json value exported <<<"$report")" "$(sources | xargs -0 cat | grep -cE '^func (\([a-z]+ \*?[A-Z][A-Za-z0-9_]*\) )?[A-Z]')"
same "what the memory server holds" "$(mcp run 'memory.read_graph().entities.map(e => e.entityType + " " + e.observations.length).join()' | json)" "source 1,source 1,source 1,source 1,source 1"
same "the first entity" "$(mcp run 'memory.read_graph().entities[0].name' | json)" "$(json value top <<<"$report")"

step "run: what the everything server sends"
same "a number in text" "$(mcp run 'everything.get_sum({a: 2, b: 3})' | json)" "The sum of 2 and 3 is 5."
same "structured content" "$(mcp run 'Object.keys(everything.get_structured_content({location: "Chicago"})).join()' | json)" "temperature,conditions,humidity"
same "an image is a handle, and can be read" "$(mcp run 'const [a, image, b] = everything.get_tiny_image(); [image.kind, image.mime, attachments.read({handle: image.handle}).base64.slice(0, 8)].join()' | json)" "image,image/png,iVBORw0K"
same "a link is a handle, and can be read" "$(mcp run 'const links = everything.get_resource_links({count: 1}); attachments.read({handle: links[1].handle}).kind' | json)" "resource"
same "the host's variables stay with the host" "$(mcp run 'JSON.stringify(everything.get_env()).includes("never-to-be-seen")')" "false"
status=0
refused=$("$poly" run --config "$work/mcp.json" 'files.write_file({path: "/x", content: "y"})' 2>&1) || status=$?
same "a denied call is a fault" "$status" "1"
has "and says so" "$refused" "files__write_file was refused: the configuration denies it"
wrong=$("$poly" run --config "$work/mcp.json" 'files.read_text_file({path: "/etc/passwd"})' 2>&1) || true
has "a server's error keeps its text" "$wrong" "Access denied"

step "run --batch: one session"
printf '%s\n' '{"program": "const n = everything.get_sum({a: 40, b: 2})", "id": "a"}' '{"program": "n"}' '{"program": "nope"}' > "$work/batch"
status=0
mcp run --batch < "$work/batch" > "$work/batch.out" || status=$?
same "one of three failed" "$status" "1"
same "the session lasts" "$(sed -n 2p "$work/batch.out" | json value)" "The sum of 40 and 2 is 42."
same "the fault is a result too" "$(sed -n 3p "$work/batch.out" | json error kind)" "name"

step "serve over standard streams"
# A command of its own, because the inspector has a flag --config too, and passes
# no variables on.
cat > "$work/gateway" <<EOF
#!/bin/sh
export REAL_SERVERS_TREE=$tree REAL_SERVERS_WORK=$work
exec $poly serve --config $work/mcp.json
EOF
chmod +x "$work/gateway"
inspector() { timeout 60 "$bin/mcp-inspector" --cli "$@"; }
tools=$(inspector "$work/gateway" --method tools/list 2>>"$work/stderr")
same "the tools" "$(node -e 'process.stdout.write(JSON.parse(require("fs").readFileSync(0, "utf8")).tools.map(t => t.name).sort().join())' <<<"$tools")" \
  "describe_function,execute_js,explain_js,list_functions,list_servers,search_functions"
program='memory.open_nodes({names: memory.read_graph().entities.map(e => e.name)}).entities.length + files.list_allowed_directories().content.length'
want=$(mcp run "$program")
got=$(inspector "$work/gateway" --method tools/call --tool-name execute_js --tool-arg "code=$program" 2>>"$work/stderr" | json content 0 text)
same "execute_js" "${got%%$'\n'*}" "$want"

step "serve over HTTP"
"$poly" serve --config "$work/mcp.json" --http 127.0.0.1:0 2>"$work/serve.log" &
served=$!
url=
for _ in $(seq 1 300); do
  url=$(sed -n 's/^polyglove: serving MCP at //p' "$work/serve.log")
  [ -z "$url" ] || break
  sleep 0.1
done
[ -n "$url" ] || fail "the server did not start: $(cat "$work/serve.log")"
has "the tools" "$(inspector "$url" --method tools/list)" '"execute_js"'
got=$(inspector "$url" --method tools/call --tool-name execute_js --tool-arg "code=$program" | json content 0 text)
same "execute_js" "${got%%$'\n'*}" "$want"
got=$(inspector "$url" --method tools/call --tool-name search_functions --tool-arg query='sum of two numbers' | json content 0 text)
has "search_functions" "$got" "get_sum"

step "conformance"
"$bin/conformance" server --url "$url" --suite all --expected-failures "$pins/conformance.yml" --output-dir "$work/results" > "$work/conformance.log" 2>&1 || {
  cat "$work/conformance.log"
  fail "the conformance suite differs from $pins/conformance.yml"
}
sed -n '/=== SUMMARY ===/,$p' "$work/conformance.log"

step "graceful end"
kill -TERM "$served"
status=0
wait "$served" || status=$?
served=
same "the exit status" "$status" "0"
sleep 0.2
left=$(pgrep -f "$bin/mcp-server-" || true)
same "no server is left behind" "$left" ""

printf '\nreal servers: all checks passed\n'
