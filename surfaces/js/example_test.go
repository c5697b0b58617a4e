package js_test

import (
	"context"
	"fmt"

	"github.com/polyglove/polyglove/surfaces"
	"github.com/polyglove/polyglove/surfaces/js"
	"github.com/polyglove/polyglove/toolfn"
)

type place struct {
	City string `json:"city"`
}

type forecast struct {
	City string `json:"city"`
	High int    `json:"high"`
}

// Two Go functions become one code tool; the program's value is what comes back.
func Example() {
	cities, _ := toolfn.Define("weather__cities", func(context.Context, struct{}) ([]string, error) {
		return []string{"Oslo", "Porto", "Vigo"}, nil
	}, toolfn.ReadOnly())
	high, _ := toolfn.Define("weather__forecast", func(_ context.Context, p place) (forecast, error) {
		return forecast{p.City, 10 + 3*len(p.City)}, nil
	}, toolfn.ReadOnly())

	catalog := toolfn.NewCatalog()
	if err := catalog.Register(cities, high); err != nil {
		panic(err)
	}
	ws, _ := surfaces.NewWorkspace(catalog)
	defer ws.Close()
	mounted, _ := surfaces.Mount(ws, surfaces.MountOptions{Languages: []surfaces.Language{js.Language()}})

	out, _ := mounted.Tools[0].Call(context.Background(), []byte(`{"code":
		"weather.cities().map(city => weather.forecast({ city })).filter(f => f.high > 22)"}`))
	fmt.Println(mounted.Tools[0].Name, out.Text)
	// Output:
	// execute_js [{"city":"Porto","high":25}]
	// called: weather__cities (read), weather__forecast ×3 (read)
}
