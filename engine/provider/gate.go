package provider

import (
	"fmt"

	"casebook/engine/wire"
)

// CheckOutbound is the gate that every request of every provider passes before a byte is sent (contract section 7.2).
func CheckOutbound(id string, r wire.Request) error {
	p, ok := Find(id)
	if !ok {
		return fmt.Errorf("outbound request: no provider %q", id)
	}
	return p.checkOutbound(r)
}

func (p Provider) checkOutbound(r wire.Request) error {
	if p.RejectedReason != "" {
		return fmt.Errorf("outbound request: provider %s is rejected: %s", p.ID, p.RejectedReason)
	}
	if err := wire.CheckSourceOnly(r); err != nil {
		return err
	}
	if p.Guard != nil {
		return p.Guard(r)
	}
	return nil
}
