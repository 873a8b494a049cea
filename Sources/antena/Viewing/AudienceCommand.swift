import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct AudienceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audience", abstract: "Show or set the audience of a title or track.",
        discussion: """
            A title's own audience overrides that of its section: everyone, members (every account), invited \
            (operators, and accounts that are invited by name), or section (none of its own). Signed links open it in any \
            case.
            """)

    @OptionGroup var options: ServerOptions
    @OptionGroup var output: ResultOutput

    @Argument(help: "ID of a title, or of a track with --track.")
    var id: String

    @Argument(help: "everyone, members, invited or section. (default: no change)")
    var audience: String?

    @Flag(help: "The ID is that of a track.")
    var track = false

    @Option(help: "Username of an account that may watch it in any case; can be repeated.")
    var invite: [String] = []

    @Option(help: "Username of an account whose invitation is withdrawn; can be repeated.")
    var uninvite: [String] = []

    func validate() throws {
        guard audience.map({ ["everyone", "members", "invited", "section"].contains($0) }) ?? true else {
            throw ValidationError("the audience must be everyone, members, invited or section")
        }
    }

    func run() async throws {
        let collection = track ? "tracks" : "titles"
        let result = try await options.withClient { client in
            guard audience != nil || !invite.isEmpty || !uninvite.isEmpty else {
                return try await client.audience(of: collection, id)
            }
            var invited: [String]?
            if !invite.isEmpty || !uninvite.isEmpty {
                let removed = Set((uninvite + invite).map { $0.lowercased() })
                let known = try await client.audience(of: collection, id).invited ?? []
                invited = known.filter { !removed.contains($0.lowercased()) } + invite
            }
            return try await client.setAudience(audience, invited: invited, of: collection, id)
        }
        let names = result.invited ?? []
        let own = result.audience == "section" ? " (of the section)" : ""
        let invited = names.isEmpty ? "" : "\ninvited: \(names.joined(separator: ", "))"
        output.print(result, "\(id): \(result.effective ?? "-")\(own)\(invited)")
    }
}
