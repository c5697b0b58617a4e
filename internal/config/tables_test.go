package config

import (
	"fmt"
	"strings"
	"testing"
)

func TestTablesOfAServer(t *testing.T) {
	c, err := Parse([]byte(`{"mcpServers":{"board":{"command":"srv"},"other":{"command":"srv"}},"polyglove":{"servers":{
		"other":{"tables":"auto"},
		"board":{"tables":{"cards":{
			"select":"list_cards","insert":"add_card","update":"move_card","delete":"remove_card","key":["id"],"rows":"cards",
			"inputs":{"cardId":"id","verbose":null},"ranges":{"from":"id >="},"limit":"count","order":{"argument":"sort","terms":{"id asc":"up"}},"page":{"argument":"cursor","next":"next_cursor"},"volatility":"volatile","sample":{"list":"todo"},
			"columns":{"id":"bigint","state":{"type":"text","enum":["open","done"],"pushdown":"in","honours":[">","order"],"required_insert":true}}}}}}}}`), environment)
	if err != nil {
		t.Fatal(err)
	}
	tables := c.Servers[0].Tables
	if len(tables) != 1 || !c.Servers[1].AutoTables {
		t.Fatalf("%+v", c.Servers)
	}
	got := tables[0]
	sample := got.Sample.Len()
	if got.Order == nil || got.Order.Argument != "sort" || got.Order.Terms["id asc"] != "up" {
		t.Errorf("%+v", got.Order)
	}
	got.Sample, got.Order = nil, nil
	text := fmt.Sprintf("%+v %d", got, sample)
	want := "{Name:cards Description: Select:list_cards Insert:add_card Update:move_card Delete:remove_card Key:[id] Rows:cards Inputs:map[cardId:id verbose:] Ranges:map[from:id >=] Order:<nil> Limit:count PageArgument:cursor PageNext:next_cursor Volatility:volatile Columns:[" +
		"{Name:id Type:bigint Description: RequiredKey:false RequiredInsert:false Enum:[] Pushdown:0 Honours: Default:<nil> NotNull:false ReadOnly:false Argument:false} " +
		"{Name:state Type:text Description: RequiredKey:false RequiredInsert:true Enum:[open done] Pushdown:2 Honours:> order Default:<nil> NotNull:false ReadOnly:false Argument:false}] Sample:<nil>} 1"
	if text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}

func TestMistakesInTables(t *testing.T) {
	_, err := Parse([]byte(`{"mcpServers":{"board":{"command":"srv"}},"polyglove":{"servers":{"board":{"tables":{"cards":{
		"selct":"x","volatility":"stabel","page":{"argument":"a"},"columns":{"id":{"typ":"text"},"n":{"type":"int","read_only":1}}}}}}}}`), environment)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{`"selct"`, `"select"`, `"stabel"`, "want both argument and next", `"typ"`, `"int"`, "read_only: want true or false, got integer"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}
