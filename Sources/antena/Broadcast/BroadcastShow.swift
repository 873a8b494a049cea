import ArgumentParser
import Broadcaster
import Foundation

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
