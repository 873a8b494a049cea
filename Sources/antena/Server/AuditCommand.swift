import APIClient
import ArgumentParser
import JSONDocument

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show the audit log of a running server, newest first.")

    @OptionGroup var options: ServerOptions

    @Option(help: "The username or e-mail address of an account that was changed. (default: all)")
    var user: String?

    @Option(help: ArgumentHelp("A kind of change, such as token or account.role. (default: all)", valueName: "kind"))
    var event: String?

    @Option(help: "How many entries to show.")
    var limit = 50

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be at least 1") }
    }

    func run() async throws {
        let entries = try await options.withClient {
            try await $0.auditLog(user: user, event: event, limit: limit)
        }
        print(json ? JSONText.array(entries.map(JSONText.init)).rendered : AccountTables.audit(entries))
    }
}
