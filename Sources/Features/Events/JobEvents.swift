import Catalogue
import Events
import JSONDocument
import JobRunning
import MediaCore
import Workflows

/// Notes in the journal which jobs wait, run and have ended, and which titles and tracks there are because of them.
/// Their progress, which comes many times a second, is not noted.
struct JobEvents: Sendable {
    let journal: EventJournal
    let library: any LibraryJobControl

    /// Pause after the library has no room for a listener, or has disconnected it.
    private static let pause = Duration.seconds(1)
    /// Limit of the jobs whose state is remembered; more than run and wait at any time that matters.
    private static let maximumKnownCount = 20_000

    func run() async {
        var known: [Int64: JobState] = [:]
        while !Task.isCancelled {
            guard let listener = try? await library.listenToJobs(by: AddressGroup(nil), after: nil) else {
                guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
                continue
            }
            // What there is already is known to everybody who asks.
            if known.isEmpty { for event in listener.backlog { known[event.job.number] = event.job.state } }
            await withTaskCancellationHandler {
                for await case .event(let event) in listener.messages { note(event.job, &known) }
            } onCancel: {
                listener.end()
            }
        }
    }

    private func note(_ job: JobRecord, _ known: inout [Int64: JobState]) {
        guard known[job.number] != job.state else { return }
        if known.count >= Self.maximumKnownCount { known.removeAll() }
        known[job.number] = job.state
        let now = journal.now
        var fields: [JSONText.Field] = [
            ("kind", .string(job.kind.rawValue)), ("state", .string(job.state.rawValue)), ("file", .string(job.file)),
        ]
        if let section = job.section { fields.append(("section", .string(section))) }
        if let subject = job.subject { fields.append(("resource", .string(subject))) }
        if let error = job.error { fields.append(("error", .string(error))) }
        journal.note(NewEvent(.jobChanged, EventSubject(.job, String(job.number)), at: now, fields))
        guard job.state == .ready, let subject = job.subject else { return }
        switch job.kind {
        case .title: journal.note(NewEvent(.titleReady, EventSubject(.title, subject), at: now))
        case .track: journal.note(NewEvent(.trackReady, EventSubject(.track, subject), at: now))
        default: break
        }
    }
}
