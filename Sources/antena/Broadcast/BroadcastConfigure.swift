import ArgumentParser
import Broadcaster
import Foundation

struct BroadcastConfigure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "configure",
        abstract: "Choose server, channel and quality, test them, and save them.",
        discussion: "Asks for settings that are not given, unless there is no terminal.")

    @OptionGroup var options: ProfileOptions

    func run() async throws {
        try await BroadcastCommand.exiting {
            let store = ProfileStore(environment: ProcessInfo.processInfo.environment)
            let dialogue = ConfigurationDialogue(
                given: try options.given(), prompt: Terminal.isInteractive ? TerminalPrompt() : nil)
            let known = try store.profile(named: options.profile) ?? BroadcastProfile()
            try store.save(try await dialogue.run(known), as: options.profile)
            print("Saved. Start with: antena broadcast start\(suffix)")
        }
    }

    private var suffix: String { options.profile == ProfileStore.defaultName ? "" : " --profile \(options.profile)" }
}
