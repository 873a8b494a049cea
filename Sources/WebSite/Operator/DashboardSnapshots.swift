import Catalogue
import Foundation
import LibraryCore
import LiveChannels
import MediaCore
import Monitoring
import NIOPosix
import StreamRelays
import Workflows

/// Reads what dashboards show once for all that are open.
actor DashboardSnapshots {
    private let sources: OperatorSources
    private var snapshot: DashboardSnapshot?
    private var readAt: ContinuousClock.Instant?
    private var failedJobs: [JobRecord] = []
    private var jobsReadAt: ContinuousClock.Instant?

    /// The time for which a snapshot is shown.
    private static let lifetime = Duration.seconds(1.5)
    /// The time for which the jobs of the database are shown; open ones come from memory.
    private static let jobLifetime = Duration.seconds(10)
    /// Number of jobs that are shown.
    private static let maximumJobCount = 20
    /// Number of the newest jobs among which failed ones are looked for.
    private static let lookedAtJobCount = 50
    private static let maximumFailedJobCount = 5

    init(_ sources: OperatorSources) { self.sources = sources }

    /// The state as it is now, or was a moment ago.
    func current() async throws -> DashboardSnapshot {
        let now = ContinuousClock.now
        if let snapshot, let readAt, now - readAt < Self.lifetime { return snapshot }
        readAt = now
        let read = sources.machine
        let machine = try await NIOThreadPool.singleton.runIfActive { read() }
        var new = DashboardSnapshot(machine: machine, delays: sources.delays())
        let all = sources.content.channels()
        new.channels = all.filter { $0.state != .idle } + all.filter { $0.state == .idle }
        new.relays = sources.relays?.statuses ?? []
        new.openJobs = Array(await sources.content.library.openJobs().prefix(Self.maximumJobCount))
        if jobsReadAt.map({ now - $0 >= Self.jobLifetime }) ?? true {
            jobsReadAt = now
            let jobs = try await sources.content.library.jobs(matching: nil, after: nil, limit: Self.lookedAtJobCount)
            failedJobs = Array(jobs.items.filter { $0.state == .failed }.prefix(Self.maximumFailedJobCount))
        }
        new.failedJobs = failedJobs
        new.viewers = sources.viewers
        snapshot = new
        return new
    }

    /// Has the next dashboard read again, because something was done.
    func forget() { (snapshot, readAt, jobsReadAt) = (nil, nil, nil) }
}
