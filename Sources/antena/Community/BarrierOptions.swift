import APIClient
import APIContract
import ArgumentParser
import JSONDocument

/// The options that `antena me block` and `antena me mute` share.
struct BarrierOptions: ParsableArguments {
    @Argument(help: "Usernames; without any, the current list is printed.")
    var names: [String] = []

    @Flag(help: "End it.")
    var end = false

    @Option(help: "Number of members in the list.")
    var limit = 20

    @Flag(help: "Print JSON instead of text.")
    var json = false

    /// - Parameter kind: `block` or `mute`.
    func run(_ kind: String, _ options: SessionOptions) async throws {
        guard !names.isEmpty else {
            let members = try await options.withClient { try await $0.barriers(kind, limit: limit) }
            return print(json ? members.json.rendered : ObjectTable.text(members, nothing: "no members"))
        }
        for name in names {
            let profile = try await options.withClient { try await $0.setBarrier(kind, !end, name) }
            print(json ? profile.json.rendered : CommunityTables.profile(profile))
        }
    }
}
