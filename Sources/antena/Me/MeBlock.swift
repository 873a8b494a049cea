import APIClient
import ArgumentParser

struct MeBlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Block or unblock members, or list the members you block.",
        discussion: "A blocked member cannot follow you, like or comment on your videos, or answer you, and is muted.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var choice: BarrierOptions

    func run() async throws { try await choice.run("block", options) }
}
