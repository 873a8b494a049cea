import APIClient
import ArgumentParser

struct MeMute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Mute or unmute members, or list the members you mute.",
        discussion: "Their comments, and their videos in your feed, are hidden from you.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var choice: BarrierOptions

    func run() async throws { try await choice.run("mute", options) }
}
