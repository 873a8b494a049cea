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

struct BroadcastShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show saved profiles. Passwords are not shown.")

    @Option(help: "Only this profile.")
    var profile: String?

    func run() async throws {
        try await BroadcastCommand.exiting {
            let store = ProfileStore(environment: ProcessInfo.processInfo.environment)
            let names = try profile.map { [$0] } ?? store.names()
            if names.isEmpty { print("Nothing is configured yet; run: antena broadcast configure") }
            for name in names {
                guard let found = try store.profile(named: name) else {
                    throw BroadcastError(.usage, "there is no profile \"\(name)\"")
                }
                print("[\(name)]")
                for key in BroadcastProfile.keys {
                    guard let value = found[key: key] else { continue }
                    print("\(key) = \(key == "password" ? "(set)" : value)")
                }
            }
        }
    }
}

struct BroadcastSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change one setting of a profile.",
        discussion: "Settings: \(BroadcastProfile.keys.joined(separator: ", ")). An empty value removes one.")

    @Option(help: "The profile's name.")
    var profile = ProfileStore.defaultName

    @Argument(help: "The setting's name.")
    var key: String

    @Argument(help: "Its new value.")
    var value: String

    func run() async throws {
        try await BroadcastCommand.exiting {
            let store = ProfileStore(environment: ProcessInfo.processInfo.environment)
            var changed = try store.profile(named: profile) ?? BroadcastProfile()
            try changed.set(key, to: value)
            try store.save(changed, as: profile)
        }
    }
}
