package world

import (
	"fmt"

	"github.com/polyglove/polyglove/toolfn/value"
)

const (
	slackChannels = "slack_channels"
	slackMessages = "slack_messages"
)

func slack() declaration {
	channels, messages := channelTable(), messageTable()
	return declaration{
		name:        "slack",
		title:       "Slack",
		description: "Team chat: channels and their messages.",
		tables:      []table{channels, messages},
		tools: []tool{
			{
				name:        "list_channels",
				description: "All channels.",
				input:       object(),
				output:      list(channels.schema()), effect: reads,
				run: rows(slackChannels),
			},
			{
				name:        "list_messages",
				description: "Messages of one channel, oldest first.",
				input:       object(need("channel", text("name of the channel, without #"))),
				output:      list(messages.schema()), effect: reads,
				run: rows(slackMessages, equals("channel")),
			},
			{
				name:        "search_messages",
				description: "Messages of all channels that contain a text.",
				input:       object(need("query", text("text to look for"))),
				output:      list(messages.schema()), effect: reads,
				run: rows(slackMessages, within("query", "text")),
			},
			{
				name:        "post_message",
				description: "Post a message to a channel.",
				input:       object(need("channel", text("name of the channel, without #")), need("text", text(""))),
				output:      object(need("channel", text("")), need("ts", text("")), need("ok", boolean(""))),
				effect:      adds,
				run: create("slack.post_message", slackMessages, func(c *call) *value.Object {
					return value.Of("channel", c.arg("channel", nil), "ts", "posted", "ok", true)
				}, newMessageRow),
			},
		},
	}
}

func newMessageRow(c *call, _ *value.Object) *value.Object {
	return value.Of(
		"id", fmt.Sprint(c.next(slackMessages, "id", "slack.post_message")), "channel", c.arg("channel", nil), "user", "you",
		"text", c.arg("text", nil), "ts", c.world.now(), "reactions", int64(0), "thread_of", nil,
	)
}

func channelTable() table {
	t := newTable(slackChannels, "Slack channels.",
		need("id", text("")),
		need("name", text("without #")),
		need("topic", nullable(text(""))),
		need("members", integer("how many")),
	)
	t.size, t.fixed, t.row = len(channels), true, func(_ generator, i, _ int) []value.Value {
		c := channels[i]
		var topic value.Value
		if c.topic != "" {
			topic = c.topic
		}
		return []value.Value{fmt.Sprintf("C7%02d", i), c.name, topic, int64(c.members)}
	}
	t.read = reading{tool: "list_channels"}
	return t
}

var channels = []struct {
	name, topic string
	members     int
}{
	{"bridge", "What is going on right now", 71},
	{"booking-team", "Tickets, fares and refunds", 18},
	{"harbour-team", "Berths, tides and crews", 22},
	{"apps-team", "", 14},
	{"releases", "One line a release, please", 44},
	{"kaffe-og-prat", "☕ nothing about work", 57},
}

func messageTable() table {
	t := newTable(slackMessages, "Slack messages. A SELECT needs WHERE channel = …; an INSERT of channel and text posts one.",
		need("id", text("")),
		need("channel", text("name of the channel")),
		need("user", text("login")),
		need("text", text("")),
		need("ts", instant("")),
		need("reactions", integer("how many")),
		need("thread_of", nullable(text("id of the message it answers"))),
	)
	t.size, t.row = 96, slackMessage
	t.read = reading{tool: "list_messages", pushdown: alike("channel"), required: "channel"}
	t.insert = &writing{tool: "post_message", args: alike("channel", "text")}
	return t
}

func slackMessage(g generator, i, n int) []value.Value {
	d := g.draw(slackMessages, i)
	about := of(d, themes)
	var text string
	switch d.below(6) {
	case 0:
		text = fmt.Sprintf("%s is mine, looking now", incidentID(d.below(incidentTable().count(g))))
	case 1:
		text = fmt.Sprintf("can someone review #%d? small one", 4100+d.below(pullRequestTable().count(g)))
	case 2:
		text = fmt.Sprintf("“%s” — anyone else?", about.title)
	case 3:
		text = fmt.Sprintf("%s is back to normal 🎉", about.system)
	default:
		text = of(d, sentences)
	}
	var thread value.Value
	if i > 3 && d.chance(15) {
		thread = fmt.Sprint(20000 + i - d.between(1, 3))
	}
	return []value.Value{
		fmt.Sprint(20000 + i), channels[d.below(len(channels))].name, of(d, people).login, text,
		stamp(d.spread(i, n, 21)), int64(d.below(4) * d.below(5)), thread,
	}
}
