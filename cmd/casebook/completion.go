package main

import (
	"github.com/spf13/cobra"
)

func newCompletion(e *env) *cobra.Command {
	return &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "shell completion",
		Long:      "Prints a completion script for the named shell; load it as that shell's manual says.\n\nExit codes: 0, 2.",
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args:      usage(cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs)),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch root := cmd.Root(); args[0] {
			case "bash":
				return root.GenBashCompletionV2(e.stdout, true)
			case "zsh":
				return root.GenZshCompletion(e.stdout)
			case "fish":
				return root.GenFishCompletion(e.stdout, true)
			default:
				return root.GenPowerShellCompletionWithDesc(e.stdout)
			}
		},
	}
}
