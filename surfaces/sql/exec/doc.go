// Package exec runs a plan: operators that pull batches of typed columns from one
// another, expressions evaluated on the rows of a batch that count.
//
// Whatever keeps rows charges for them before it keeps them; every loop spends
// fuel, which is also how it is cancelled. An error of a row reaches whoever
// pulls only after the rows before it, as if rows came one by one. Where SQL
// leaves an order open the order is that of the input.
package exec
