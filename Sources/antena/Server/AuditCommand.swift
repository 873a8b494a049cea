import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct AuditCommand: ListedItems {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show the audit log of a running server, newest first.")
    static let nothing = "no entries"

    @Option(help: "The username or e-mail address of an account that was changed. (default: all)")
    var user: String?

    @Option(help: ArgumentHelp("A kind of change, such as token or account.role. (default: all)", valueName: "kind"))
    var event: String?

    @Option(help: "How many entries to show.")
    var limit = 50

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be at least 1") }
    }

    func items(_ client: ServerClient) async throws -> [APIObject<AuditEntryFields>] {
        try await client.auditLog(user: user, event: event, limit: limit)
    }
}
