import Foundation
import Glibc
import MediaCore
import Synchronization

/// Tells when somebody writes to the files of a SQLite database (inotify(7)), whichever program it is: all of them run
/// on this machine, because they share the memory of the write-ahead log (https://sqlite.org/wal.html).
///
/// Used by one thread; ``wake()`` by any.
final class SQLiteFileEvents: Sendable {
    private let descriptor: Int32
    /// A pair of sockets, of which one is written to in order to wake the thread.
    private let wakeDescriptors: (reading: Int32, writing: Int32)
    /// The name of the database; those of its logs begin with it.
    private let name: String
    /// True once the folder is gone, or another one has its name: nothing is reported any more.
    private let isLost = Atomic(false)

    private static let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)
    private static let bufferByteCount = 16 << 10

    /// - Returns: `nil` if the system has no inotify, or no more instances or watches, or there is no such folder.
    init?(path: String) {
        // The logs of a database that is a link are beside the file to which it leads.
        let file = URL(filePath: path).resolvingSymlinksInPath()
        name = file.lastPathComponent
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        var ends: [Int32] = [-1, -1]
        guard inotify_add_watch(descriptor, file.deletingLastPathComponent().path, Self.mask) >= 0,
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        else {
            Glibc.close(descriptor)
            return nil
        }
        wakeDescriptors = (ends[0], ends[1])
    }

    deinit {
        for descriptor in [descriptor, wakeDescriptors.reading, wakeDescriptors.writing] { Glibc.close(descriptor) }
    }

    /// Waits for a write, for ``wake()``, or for the end of a time; not at all if writes are not reported any more.
    func wait(atMost limit: Duration) {
        if isLost.load(ordering: .relaxed) { return }
        var entries = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeDescriptors.reading, events: Int16(POLLIN), revents: 0),
        ]
        // A signal ends it early, which costs one look.
        _ = poll(&entries, nfds_t(entries.count), Int32(limit / .milliseconds(1)))
    }

    /// Lets ``wait(atMost:)`` return at once, from now on.
    func wake() { _ = Glibc.write(wakeDescriptors.writing, [0], 1) }

    /// Takes what has been reported.
    ///
    /// - Returns: whether any of it concerns the database.
    func take() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: Self.bufferByteCount, alignment: 16) { buffer in
            var isConcerned = false
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return isConcerned }
                for event in InotifyEvents(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
                    if event.has(Int(IN_IGNORED)) || event.has(Int(IN_MOVE_SELF)) {
                        isLost.store(true, ordering: .relaxed)
                    }
                    // Without a name it is about the folder, or about events that were lost.
                    if event.name.isEmpty || event.name.hasPrefix(name) { isConcerned = true }
                }
            }
        }
    }
}
