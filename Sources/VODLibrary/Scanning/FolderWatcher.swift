import CAntenaSystem
import Foundation
import Glibc
import Synchronization

/// Tells what happens in folder trees, by inotify(7): which files have been written to their end, which are still being
/// written, and when only a look at the whole tells.
///
/// A thread of its own reads the events. What they mean is collected until somebody takes it, and bounded: whatever does
/// not fit is left to a look. Those who ask for it wait for no disk: folders are read and files looked at without the
/// lock on what is collected.
final class FolderWatcher: Sendable {
    /// What has happened in one tree since it was taken last.
    struct Changes: Sendable, Equatable {
        /// Closed by whoever wrote them, or moved here. Relative to the root.
        var finished: Set<String> = []
        /// Something that only a look at the tree tells: removed, linked, a folder, too many events.
        var needsLook = false
    }

    private struct Tree {
        let path: String
        var changes = Changes()
        var beingWritten: Set<String> = []
        /// Every folder is watched, and its file system tells of all changes.
        var isComplete = false
    }

    private struct Watch {
        var tree: Int
        /// Relative to the root; empty for the root itself.
        var folder: String
    }

    private struct State {
        var trees: [Tree]
        var watches: [Int32: Watch] = [:]
        var isClosed = false
    }

    /// Folders. Linux grants each user 8,192 or more of them, and other programs want some.
    static let maximumWatchCount = 4_096
    /// Names that are remembered of one tree; a copying program writes a few at a time.
    static let maximumNameCount = 10_000
    private static let bufferByteCount = 64 << 10

    private static let mask = UInt32(
        IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
            | IN_ONLYDIR | IN_EXCL_UNLINK)

    private let descriptor: Int32
    /// A pair of sockets, whose reading end ends the thread when the other one is closed.
    private let stopDescriptors: (reading: Int32, writing: Int32)
    private let state: Mutex<State>
    /// Held while watches are added, by threads that may wait for a disk.
    private let adding = Mutex(())
    /// `nil` where the system has no `/proc`.
    private let mounts: MountWatch?
    /// One whenever there is something to be taken.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    /// Blocks while it looks for folders.
    ///
    /// - Parameter paths: of the trees, which are numbered in this order.
    /// - Returns: `nil` where the system has no inotify, or no more of it.
    init?(paths: [String]) {
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

    /// Ends the thread, which keeps the watcher until then.
    func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        Glibc.close(stopDescriptors.writing)
        signal.finish()
    }

    // MARK: What is asked

    /// By the number of the tree.
    func takeChanges() -> [Changes] {
        state.withLock { state in
            let changes = state.trees.map(\.changes)
            for index in state.trees.indices { state.trees[index].changes = Changes() }
            return changes
        }
    }

    /// Whether a program has written to the file and not closed it since.
    func isBeingWritten(_ name: String, tree: Int) -> Bool {
        state.withLock { $0.trees[tree].beingWritten.contains(name) }
    }

    /// Whether nothing happens in the tree that is not told.
    func isComplete(tree: Int) -> Bool { state.withLock { $0.trees[tree].isComplete } }

    /// Tries anew where something is not told: a folder may be there now. Blocks while it looks for folders.
    func completeTrees() {
        let incomplete = state.withLock { state in state.trees.indices.filter { !state.trees[$0].isComplete } }
        for tree in incomplete {
            let count = state.withLock { $0.watches.count }
            watch(tree: tree)
            // What happened in a new one before it was noted is not told.
            let isNew = state.withLock { state in
                guard state.watches.count > count else { return false }
                state.trees[tree].changes.needsLook = true
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

    /// Blocks while it reads folders.
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
                    // Gone again, which is told by its parent; or there are no more to be had.
                    if errno != ENOENT || name.isEmpty { isComplete = false }
                    continue
                }
                guard note(watch, of: Watch(tree: tree, folder: name)), depth < MediaFolder.maximumDepth else {
                    continue
                }
                // Who names a folder like a film waits for the next look at all of them: asking about each of 10,000
                // films takes longer than all else.
                for entry in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
                where MediaFolder.takes(entry: entry) && MediaKind(fileName: entry) == nil
                    && Self.isFolder("\(path)/\(entry)")
                {
                    pending.append((name.isEmpty ? entry : "\(name)/\(entry)", depth + 1))
                }
            }
            return isComplete
        }
    }

    /// - Returns: false for a folder that is watched under another name, such as by a link that leads back up.
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

    /// Network file systems do not tell what other machines do: NFS, SMB (three versions), FUSE, 9P, Ceph.
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
            // Not while somebody adds a watch: the number may be another file's a moment later.
            adding.withLock { _ in _ = Glibc.close(descriptor) }
            Glibc.close(stopDescriptors.reading)
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferByteCount, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            var entries = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopDescriptors.reading, events: Int16(POLLIN), revents: 0),
                // A negative number is passed over.
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

    /// Something was mounted or unmounted; only what concerns a tree makes a look.
    private func handleMounts() {
        let concerned = mounts?.takeChangedTrees() ?? []
        for tree in concerned {
            watch(tree: tree)
            state.withLock { $0.trees[tree].changes.needsLook = true }
        }
        if !concerned.isEmpty { signal.yield() }
    }

    /// - Parameter bytes: as inotify has them: whole events, one behind the other.
    func handle(_ bytes: UnsafeRawBufferPointer) {
        let headByteCount = MemoryLayout<inotify_event>.size
        var (offset, isNew) = (0, false)
        while offset + headByteCount <= bytes.count {
            let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let end = offset + headByteCount + Int(event.len)
            guard end <= bytes.count else { break }
            let name = String(decoding: bytes[(offset + headByteCount)..<end].prefix { $0 != 0 }, as: UTF8.self)
            isNew = handle(event, name: name) || isNew
            offset = end
        }
        if isNew { signal.yield() }
    }

    /// What an event asks for that may wait for a disk.
    private enum FollowUp {
        case none
        /// The folder is new.
        case watch(tree: Int, folder: String)
        /// The name is new, and the file behind it may be whole or about to be written.
        case glance(tree: Int, path: String, root: String)
    }

    /// - Returns: whether there is something to be taken.
    private func handle(_ event: inotify_event, name: String) -> Bool {
        let (isNew, followUp) = state.withLock { state in
            state.isClosed ? (false, .none) : handle(event, name: name, &state)
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

    private func handle(_ event: inotify_event, name: String, _ state: inout State) -> (isNew: Bool, FollowUp) {
        func has(_ flag: Int) -> Bool { event.mask & UInt32(truncatingIfNeeded: flag) != 0 }
        if has(Int(IN_Q_OVERFLOW)) {
            // Whatever was not told may be anywhere, and new folders are not watched.
            for index in state.trees.indices {
                state.trees[index].beingWritten = []
                state.trees[index].changes.needsLook = true
                state.trees[index].isComplete = false
            }
            return (true, .none)
        }
        guard let watch = state.watches[event.wd] else { return (false, .none) }
        let tree = watch.tree
        if has(Int(IN_IGNORED)) || has(Int(IN_DELETE_SELF)) || has(Int(IN_MOVE_SELF)) || has(Int(IN_UNMOUNT)) {
            if has(Int(IN_IGNORED)) { state.watches[event.wd] = nil }
            // Below the root its parent tells, too.
            guard watch.folder.isEmpty else { return (false, .none) }
            dropWatches(tree: tree, below: "", &state)
            state.trees[tree].isComplete = false
            state.trees[tree].changes.needsLook = true
            return (true, .none)
        }
        guard !name.isEmpty, MediaFolder.takes(entry: name) else { return (false, .none) }
        let path = watch.folder.isEmpty ? name : "\(watch.folder)/\(name)"
        if has(Int(IN_ISDIR)) {
            if has(Int(IN_MOVED_FROM)) || has(Int(IN_DELETE)) { dropWatches(tree: tree, below: path, &state) }
            state.trees[tree].changes.needsLook = true
            let isNew = has(Int(IN_CREATE)) || has(Int(IN_MOVED_TO))
            return (true, isNew ? .watch(tree: tree, folder: path) : .none)
        }
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
            // Removed.
            tree.changes.finished.remove(path)
            defer { tree.changes.needsLook = true }
            return !tree.changes.needsLook
        }
        return noteFinished(path, in: &tree)
    }

    private static func noteFinished(_ path: String, in tree: inout Tree) -> Bool {
        guard tree.changes.finished.count < maximumNameCount else {
            tree.changes.needsLook = true
            return true
        }
        return tree.changes.finished.insert(path).inserted
    }

    // MARK: New names

    /// What a name that has just come leads to.
    private enum Glance {
        /// A file that is about to be written.
        case empty
        /// A file that nobody has written to for a while: a link to one that was there, hard or symbolic. Nobody is
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
        defer { tree.changes.needsLook = true }
        return !tree.changes.needsLook
    }

    private static func glance(at path: String) -> Glance {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .other }
        guard status.st_size > 0 else { return .empty }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let age = Double(now.tv_sec - status.st_mtim.tv_sec) + Double(now.tv_nsec - status.st_mtim.tv_nsec) / 1e9
        return age >= FileSettling.quietSeconds ? .whole : .other
    }
}
