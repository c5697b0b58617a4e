package fn

import "testing"

func TestRegistryIsConsistent(t *testing.T) {
	for _, clash := range registered().clashes {
		t.Error(clash)
	}
	if len(registered().kernels) == 0 {
		t.Error("no kernels are registered")
	}
}
