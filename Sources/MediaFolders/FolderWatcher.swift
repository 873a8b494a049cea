import CAntenaSystem
import Foundation
import Glibc
import LibraryCore
import MediaCore
import Synchronization

/// Watches folder trees with inotify(7): which files have been completely written, which are still being written, and
/// when a scan of the whole tree is needed.
///
/// A thread of its own reads the events. Changes are collected until somebody takes them, and are bounded: whatever
/// does not fit is left to a scan. Callers that take changes never wait for a disk, because folders and files are read
/// without the lock on the collected changes.
package final class FolderWatcher: Sendable {
    /// The changes in one tree since they were last taken.
    package struct Changes: Sendable, Equatable {
        /// Files closed by the program that wrote them, or moved here. Paths relative to the root.
        package var finished: Set<String> = []
        /// Files whose permissions or other attributes have changed. Paths relative to the root.
        package var attributed: Set<String> = []
        /// True if a scan of the tree is needed: something was removed or linked, a folder changed, or there were too
        /// many events.
        package var needsScan = false
    }

    private struct Tree {
        let path: String
        var changes = Changes()
        var beingWritten: Set<String> = []
        /// True if every folder is watched, and its file system reports all changes.
        var isComplete = false
    }

    private struct Watch {
        var tree: Int
        /// Path relative to the root; empty for the root itself.
        var folder: String
    }

    private struct State {
        var trees: [Tree]
        var watches: [Int32: Watch] = [:]
        var isClosed = false
    }

    /// Limit on watched folders. Linux grants each user 8,192 or more watches, and other programs need some.
    static let maximumWatchCount = 4_096
    /// Limit on remembered names per tree; a copying program writes a few at a time.
    static let maximumNameCount = 10_000
    private static let bufferByteCount = 64 << 10

    private static let mask = UInt32(
        IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF
            | IN_MOVE_SELF
            | IN_ONLYDIR | IN_EXCL_UNLINK)

    private let descriptor: Int32
    /// A pair of sockets. When the writing end is closed, the reading end stops the thread.
    private let stopDescriptors: (reading: Int32, writing: Int32)
    private let state: Mutex<State>
    /// Locked while watches are added, by threads that may wait for a disk.
    private let adding = Mutex(())
    /// `nil` if the system has no `/proc`.
    private let mounts: MountWatch?
    /// Yields whenever there are changes to take.
    package let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    /// Starts watching. Blocks while it reads folders.
    ///
    /// - Parameter paths: the paths of the trees, which are numbered in this order.
    /// - Returns: `nil` if the system has no inotify, or no inotify instances left.
    package init?(paths: [String]) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            Glibc.close(descriptor)
            return nil
        }
        stopDescriptors = (ends[0], ends[1])
        state = Mutex(State(trees: paths.map { Tree(path: $0) }))
        mounts = MountWatch(paths: paths)
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        for index in paths.indices { watch(tree: index) }
        let thread = Thread { [self] in read() }
        thread.name = "antena.inotify"
        thread.start()
    }

    /// Stops the thread, which keeps the watcher alive until then.
    package func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        Glibc.close(stopDescriptors.writing)
        signal.finish()
    }

    // MARK: What is asked

    /// Takes the collected changes, indexed by the number of the tree.
    package func takeChanges() -> [Changes] {
        state.withLock { state in
            let changes = state.trees.map(\.changes)
            for index in state.trees.indices { state.trees[index].changes = Changes() }
            return changes
        }
    }

    /// Returns whether a program has written to the file and has not closed it since.
    package func isBeingWritten(_ name: String, tree: Int) -> Bool {
        state.withLock { $0.trees[tree].beingWritten.contains(name) }
    }

    /// Returns whether all changes in the tree are reported.
    package func isComplete(tree: Int) -> Bool { state.withLock { $0.trees[tree].isComplete } }

    /// Tries again to watch trees that are not completely watched, because a folder may exist now. Blocks while it
    /// reads folders.
    package func completeTrees() {
        let incomplete = state.withLock { state in state.trees.indices.filter { !state.trees[$0].isComplete } }
        for tree in incomplete {
            let count = state.withLock { $0.watches.count }
            watch(tree: tree)
            // Changes in a new folder before it was watched are not reported.
            let isNew = state.withLock { state in
                guard state.watches.count > count else { return false }
                state.trees[tree].changes.needsScan = true
                return true
            }
            if isNew { signal.yield() }
        }
    }

    // MARK: Watches

    private func watch(tree: Int) {
        let isComplete = addWatches(tree: tree, folder: "")
        state.withLock { $0.trees[tree].isComplete = isComplete }
    }

    /// Watches a folder and everything below it. Blocks while it reads folders.
    ///
    /// - Returns: whether all folders from this one down are watched.
    private func addWatches(tree: Int, folder: String) -> Bool {
        adding.withLock { _ in
            let root = state.withLock { $0.trees[tree].path }
            var isComplete = true
            var pending = [(name: folder, depth: folder.pathComponents.count)]
            while let (name, depth) = pending.popLast() {
                let path = name.isEmpty ? root : "\(root)/\(name)"
                let (count, isClosed) = state.withLock { ($0.watches.count, $0.isClosed) }
                guard !isClosed else { return false }
                guard count < Self.maximumWatchCount, Self.tellsOfChanges(path) else {
                    isComplete = false
                    continue
                }
                let watch = inotify_add_watch(descriptor, path, Self.mask)
                guard watch >= 0 else {
                    // The folder is gone again, which its parent reports; or there are no watches left.
                    if errno != ENOENT || name.isEmpty { isComplete = false }
                    continue
                }
                guard note(watch, of: Watch(tree: tree, folder: name)), depth < MediaFolder.maximumDepth else {
                    continue
                }
                // A folder that is named like a film is found by the next scan: checking each of 10,000 films takes
                // longer than everything else.
                for entry in FolderNames(inFolder: path)?.valid ?? []
                where MediaFolder.takes(entry: entry) && MediaKind(fileName: entry) == nil
                    && Self.isFolder("\(path)/\(entry)")
                {
                    pending.append((name.isEmpty ? entry : "\(name)/\(entry)", depth + 1))
                }
            }
            return isComplete
        }
    }

    /// Records a new watch.
    ///
    /// - Returns: false for a folder that is already watched under another name, for example because of a link that
    ///   leads back up.
    private func note(_ number: Int32, of watch: Watch) -> Bool {
        state.withLock { state in
            if let known = state.watches[number] { return known.folder == watch.folder && known.tree == watch.tree }
            state.watches[number] = watch
            return true
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Magic numbers of network file systems, which do not report what other machines do: NFS, SMB (three versions),
    /// FUSE, 9P, Ceph.
    private static let silentFileSystems: Set<Int64> = [
        0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x0102_1997, 0x00C3_6400,
    ]

    private static func tellsOfChanges(_ path: String) -> Bool {
        let type = antena_file_system_type(path)
        return type >= 0 && !silentFileSystems.contains(type)
    }

    private func dropWatches(tree: Int, below folder: String, _ state: inout State) {
        for (number, watch) in state.watches where watch.tree == tree {
            guard watch.folder == folder || folder.isEmpty || watch.folder.path(below: folder) != nil else { continue }
            inotify_rm_watch(descriptor, number)
            state.watches[number] = nil
        }
    }

    // MARK: Events

    private func read() {
        defer {
            state.withLock { $0.isClosed = true }
            // Not while a watch is being added: the descriptor's number may belong to another file immediately
            // afterwards.
            adding.withLock { _ in _ = Glibc.close(descriptor) }
            Glibc.close(stopDescriptors.reading)
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferByteCount, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            var entries = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopDescriptors.reading, events: Int16(POLLIN), revents: 0),
                // `poll` ignores a negative descriptor.
                pollfd(fd: mounts?.descriptor ?? -1, events: Int16(POLLPRI), revents: 0),
            ]
            let result = poll(&entries, nfds_t(entries.count), -1)
            if result < 0, errno == EINTR { continue }
            guard result > 0, entries[1].revents == 0 else { return }
            if entries[2].revents != 0 { handleMounts() }
            guard entries[0].revents != 0 else { continue }
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return }
            handle(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Handles a change of the mounts; only a change that concerns a tree causes a scan.
    private func handleMounts() {
        let concerned = mounts?.takeChangedTrees() ?? []
        for tree in concerned {
            watch(tree: tree)
            state.withLock { $0.trees[tree].changes.needsScan = true }
        }
        if !concerned.isEmpty { signal.yield() }
    }

    /// Handles events.
    ///
    /// - Parameter bytes: the bytes read from inotify: complete events, one after the other.
    func handle(_ bytes: UnsafeRawBufferPointer) {
        var isNew = false
        for event in InotifyEvents(bytes) { isNew = handle(event) || isNew }
        if isNew { signal.yield() }
    }

    /// Work required by an event that may wait for a disk.
    private enum FollowUp {
        case none
        /// The folder is new and has to be watched.
        case watch(tree: Int, folder: String)
        /// The name is new, and the file may be complete or about to be written.
        case glance(tree: Int, path: String, root: String)
    }

    /// Handles one event.
    ///
    /// - Returns: whether there are changes to take.
    private func handle(_ event: InotifyEvents.Event) -> Bool {
        let (isNew, followUp) = state.withLock { state in
            state.isClosed ? (false, .none) : handle(event, &state)
        }
        switch followUp {
        case .none: return isNew
        case .watch(let tree, let folder):
            if !addWatches(tree: tree, folder: folder) { state.withLock { $0.trees[tree].isComplete = false } }
            return isNew
        case .glance(let tree, let path, let root):
            let found = Self.glance(at: "\(root)/\(path)")
            return state.withLock { Self.note(path, found, in: &$0.trees[tree]) } || isNew
        }
    }

    private func handle(_ event: InotifyEvents.Event, _ state: inout State) -> (isNew: Bool, FollowUp) {
        let (name, has) = (event.name, event.has)
        if has(Int(IN_Q_OVERFLOW)) {
            // The lost events may concern anything, and new folders are not watched.
            for index in state.trees.indices {
                state.trees[index].beingWritten = []
                state.trees[index].changes.needsScan = true
                state.trees[index].isComplete = false
            }
            return (true, .none)
        }
        guard let watch = state.watches[event.watch] else { return (false, .none) }
        let tree = watch.tree
        if has(Int(IN_IGNORED)) || has(Int(IN_DELETE_SELF)) || has(Int(IN_MOVE_SELF)) || has(Int(IN_UNMOUNT)) {
            if has(Int(IN_IGNORED)) { state.watches[event.watch] = nil }
            // Below the root, the parent folder reports the change, too.
            guard watch.folder.isEmpty else { return (false, .none) }
            dropWatches(tree: tree, below: "", &state)
            state.trees[tree].isComplete = false
            state.trees[tree].changes.needsScan = true
            return (true, .none)
        }
        guard !name.isEmpty, MediaFolder.takes(entry: name) else { return (false, .none) }
        let path = watch.folder.isEmpty ? name : "\(watch.folder)/\(name)"
        if has(Int(IN_ISDIR)) {
            if has(Int(IN_MOVED_FROM)) || has(Int(IN_DELETE)) { dropWatches(tree: tree, below: path, &state) }
            state.trees[tree].changes.needsScan = true
            // A folder may have become readable, with those below it.
            let mayBeNew = has(Int(IN_CREATE)) || has(Int(IN_MOVED_TO)) || has(Int(IN_ATTRIB))
            return (true, mayBeNew ? .watch(tree: tree, folder: path) : .none)
        }
        if has(Int(IN_ATTRIB)) { return (Self.noteAttributes(path, in: &state.trees[tree]), .none) }
        if has(Int(IN_CREATE)) { return (false, .glance(tree: tree, path: path, root: state.trees[tree].path)) }
        return (Self.note(path, has, in: &state.trees[tree]), .none)
    }

    private static func note(_ path: String, _ has: (Int) -> Bool, in tree: inout Tree) -> Bool {
        if has(Int(IN_MODIFY)) {
            guard tree.beingWritten.count < maximumNameCount else { return false }
            tree.beingWritten.insert(path)
            tree.changes.finished.remove(path)
            return false
        }
        tree.beingWritten.remove(path)
        guard has(Int(IN_CLOSE_WRITE)) || has(Int(IN_MOVED_TO)) else {
            // The file was removed.
            tree.changes.finished.remove(path)
            defer { tree.changes.needsScan = true }
            return !tree.changes.needsScan
        }
        return noteFinished(path, in: &tree)
    }

    private static func noteAttributes(_ path: String, in tree: inout Tree) -> Bool {
        guard tree.changes.attributed.count < maximumNameCount else {
            tree.changes.needsScan = true
            return true
        }
        return tree.changes.attributed.insert(path).inserted
    }

    private static func noteFinished(_ path: String, in tree: inout Tree) -> Bool {
        guard tree.changes.finished.count < maximumNameCount else {
            tree.changes.needsScan = true
            return true
        }
        return tree.changes.finished.insert(path).inserted
    }

    // MARK: New names

    /// The kind of file to which a new name refers.
    private enum Glance {
        /// A file that is about to be written.
        case empty
        /// A file that nobody has written to for a while: a hard or symbolic link to an existing file. No program is
        /// going to close it.
        case whole
        case other
    }

    private static func note(_ path: String, _ found: Glance, in tree: inout Tree) -> Bool {
        switch found {
        case .whole:
            tree.beingWritten.remove(path)
            return noteFinished(path, in: &tree)
        case .empty where tree.beingWritten.count < maximumNameCount:
            tree.beingWritten.insert(path)
        case .empty, .other: tree.beingWritten.remove(path)
        }
        tree.changes.finished.remove(path)
        defer { tree.changes.needsScan = true }
        return !tree.changes.needsScan
    }

    private static func glance(at path: String) -> Glance {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .other }
        guard status.st_size > 0 else { return .empty }
        let modified = WallClockTime(
            millisecondsSince1970: Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000)
        return WallClock.system.now() - modified >= FileSettling.quietPeriod ? .whole : .other
    }
}
