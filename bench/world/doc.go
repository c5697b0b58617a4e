// Package world is an organisation to drive: ten services as an agent would meet
// them, with 32 tools, twelve tables, records that refer to one another, and an
// outbox that keeps every effect.
//
// [New] makes the built-in organisation, Brightwater, which sells ferry crossings
// and harbour berths. Seed and scale decide every byte of it; no clock and no
// global random source takes part. [Load] mounts a recorded organisation from data
// files behind the same services.
//
// Each service is declared once. The declaration yields functions
// ([World.Functions]), a real MCP server ([Service.Server]) and tables, all over
// the same records and the same outbox.
package world
