import MediaCore
import Packaging
import TestSupport

@testable import LiveChannels

/// One server after the other, with the same disk and the same clock.
final class ServerRestarts {
    let clock = TestClock()
    let directory: TemporaryDirectory
    let policy: ArchivePolicy
    private(set) var current: ArchiveFixture
    private(set) var store: FileChannelStateStore
    /// Killed: whatever they hold on to is never let go.
    private var killed: [ArchiveFixture] = []

    init(_ policy: ArchivePolicy) throws {
        directory = try TemporaryDirectory(label: "restart")
        self.policy = policy
        store = try FileChannelStateStore(directory: "\(directory.path)/channels", logger: TestMedia.silent)
        current = try ArchiveFixture(policy, directory: directory, clock: clock, store: store)
    }

    enum End { case kill, close }

    func restart(_ end: End = .kill, after seconds: Int = 5, with policy: ArchivePolicy? = nil) throws {
        store.flush()
        switch end {
        case .kill: killed.append(current)
        case .close:
            current.channel.close()
            current.writer.close()
        }
        clock.advance(by: .milliseconds(Int64(seconds) * 1_000))
        store = try FileChannelStateStore(directory: "\(directory.path)/channels", logger: TestMedia.silent)
        current = try ArchiveFixture(policy ?? self.policy, directory: directory, clock: clock, store: store)
    }

    func publisher(_ settings: SyntheticPublisher.Settings = .init()) throws -> SyntheticPublisher {
        let publisher = SyntheticPublisher(current.channel, clock: clock, settings: settings)
        try publisher.begin()
        return publisher
    }

    var journals: [String] {
        current.windowFiles().filter { $0.hasSuffix(ArchiveJournal.suffix) }.map {
            "\(directory.path)/archive/canalA/\($0)"
        }
    }
}
