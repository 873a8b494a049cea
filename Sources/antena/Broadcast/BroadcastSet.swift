import ArgumentParser
import Broadcaster
import Foundation

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
