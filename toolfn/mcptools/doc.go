// Package mcptools turns the tools of MCP servers into functions of the
// catalogue. It is the only package below the surfaces that knows the Model
// Context Protocol; it speaks it through the official Go SDK.
//
// A [Set] holds any number of servers. Each is connected, listed, watched and
// reconnected on its own: a server that does not start, hangs, floods or dies is
// named in [Set.Problems] and takes nothing else down.
//
// # Results
//
// What a program gets from a call is decided in this order:
//
//   - isError raises a [toolfn.CallError] that keeps the text, the code and the
//     details.
//   - structuredContent is the value. Where the output schema is the wrapper
//     that SDKs put round a result that is no object (one property, "result",
//     which is not itself an object), the value is what is inside.
//   - One content part is its own value, several are a list of their values in
//     the server's order. Text that is a JSON object or array as a whole is
//     decoded, any other text is a string. Images, audio, links and binary
//     resources become {kind, mime, size, handle}; a part of an unknown type is
//     kept as it came.
//   - No part at all is null.
//
// Text that a server sends beside structured content, and every handle, can be
// read with the functions of the group "attachments".
//
// Numbers keep every digit: results are decoded from the bytes of the wire,
// not from what the SDK makes of them.
package mcptools
