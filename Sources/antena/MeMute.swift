import APIClient
import ArgumentParser
import JSONDocument

struct MeMute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Mute members, end it, or list those whom you mute.",
        discussion: "You do not see their comments, and not their videos in the feed of those whom you follow.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var choice: BarrierOptions

    func run() async throws { try await choice.run("mute", options) }
}
