import Accounts
import Database
import Events
import JSONDocument
import LogMetadata
import Logging
import MediaCore

/// Notes changes of accounts in the journal, from the audit log, which is written together with each change. Several
/// servers read the same log, and each change is journalled once.
struct AccountEvents: Sendable {
    let journal: EventJournal
    let accounts: Accounts
    let logger: Logger

    private static let longestPause = Duration.seconds(30)
    private static let batchSize = 200
    /// How far back the log is read again: PostgreSQL may show a number after a higher one.
    private static let overlap: Int64 = 100
    /// How far back a server looks that starts.
    private static let memory = Duration.seconds(86_400)

    func run(after changes: DatabaseChanges) async {
        // What a server that was killed may not have noted any more; what it has noted is journalled already.
        var start: Int64?
        let begin = journal.now - Self.memory
        var last: Int64 = 0
        var noted: Set<Int64> = []
        await RefreshLoop.run(after: changes, atLeastEvery: Self.longestPause) {
            if start == nil {
                last = try await accounts.lastAuditNumber()
                start = max(0, last - Self.overlap)
            }
            var isFull: Bool
            repeat {
                let position = max(start ?? 0, last - Self.overlap)
                let entries = try await accounts.auditEntries(after: position, limit: Self.batchSize)
                for entry in entries where noted.insert(entry.number).inserted {
                    if entry.happenedAt > begin { note(entry) }
                    last = max(last, entry.number)
                }
                if noted.count > 10 * Self.batchSize { noted = noted.filter { $0 > last - Self.overlap } }
                isFull = entries.count == Self.batchSize
            } while isFull && !Task.isCancelled
        } onOutage: { error in
            logger.debug("account changes could not be read; will retry", metadata: [.error: "\(error)"])
        }
    }

    private func note(_ entry: AuditEntry) {
        // Both names are stored, and the same for what listeners are told of.
        let type = EventType(rawValue: entry.event)
        guard EventType.ofAccounts.contains(type), let subject = entry.subjectID else { return }
        var fields: [JSONText.Field] = []
        if type == .roleChanged, let role = entry.after { fields.append(("role", .string(role))) }
        journal.note(
            NewEvent(
                type, EventSubject(.account, subject.text), at: entry.happenedAt, fields,
                origin: "audit/\(entry.number)"))
    }
}
