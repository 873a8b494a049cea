package import MediaCore

/// The events of a match, and the state that follows from them.
///
/// The log decides: the state follows from all its actions in order, each with its last amendment.
/// An action that an amendment has made impossible is listed among the conflicts and changes nothing.
package struct MatchLog: Sendable {
    /// An action of the log that cannot be carried out any more.
    package struct Conflict: Sendable, Hashable {
        package var sequence: Int64
        package var reason: MatchConflict.Reason
    }

    /// Limit of a match's entries: a long match has a few hundred points.
    package static let maximumEntryCount = 5_000

    private let beginning: MatchState
    package private(set) var entries: [MatchEntry] = []
    package private(set) var state: MatchState
    package private(set) var conflicts: [Conflict] = []
    /// The last amendment of each entry that has one.
    private var amendments: [Int64: MatchAction?] = [:]

    /// - Parameter beginning: the state before the first event.
    package init(_ beginning: MatchState) { (self.beginning, state) = (beginning, beginning) }

    /// The entry with a number; `nil` if there is none.
    package func entry(_ sequence: Int64) -> MatchEntry? {
        guard sequence > 0, sequence <= entries.count else { return nil }
        return entries[Int(sequence - 1)]
    }

    /// The number of the newest entry; 0 if there is none.
    package var lastSequence: Int64 { entries.last?.sequence ?? 0 }

    /// Adds an entry.
    ///
    /// - Throws: `MatchConflict` if the action is impossible, or if the amended entry does not exist.
    package mutating func append(_ content: MatchEntry.Content, at time: WallClockTime) throws(MatchConflict) {
        let entry = MatchEntry(sequence: lastSequence + 1, content, at: time)
        switch content {
        case .action(let action): try state.apply(action, at: time)
        case .amendment(let sequence, _):
            guard isAction(sequence) else { throw MatchConflict(.unknownEvent) }
        }
        add(entry)
    }

    /// Adds an entry that was accepted before, or that is kept although it is not possible any more: what cannot be
    /// carried out becomes a conflict.
    package mutating func restore(_ entry: MatchEntry) {
        if case .action(let action) = entry.content {
            do { try state.apply(action, at: entry.time) } catch {
                conflicts.append(Conflict(sequence: entry.sequence, reason: error.reason))
            }
        }
        add(entry)
    }

    /// - Parameters:
    ///   - beginning: the state before the first event.
    ///   - entries: all entries, such as those of the database.
    package init(_ beginning: MatchState, entries: [MatchEntry]) {
        self.init(beginning)
        self.entries = entries
        for case .amendment(let sequence, let action) in entries.map(\.content) {
            amendments[sequence] = .some(action)
        }
        replay()
    }

    private mutating func add(_ entry: MatchEntry) {
        entries.append(entry)
        guard case .amendment(let sequence, let action) = entry.content else { return }
        amendments[sequence] = .some(action)
        replay()
    }

    private func isAction(_ sequence: Int64) -> Bool {
        guard case .action? = entry(sequence)?.content else { return false }
        return true
    }

    /// The action of an entry as it counts now; `nil` for one that is left out, and for amendments.
    package func action(_ entry: MatchEntry) -> MatchAction? {
        guard case .action(let action) = entry.content else { return nil }
        if let amended = amendments[entry.sequence] { return amended }
        return action
    }

    /// The newest entry whose action counts and changes the state: what "undo" leaves out.
    package var undoable: MatchEntry? {
        entries.last { entry in
            switch action(entry) {
            case nil, .note, .freeze, .unfreeze: false
            default: true
            }
        }
    }

    private mutating func replay() {
        (state, conflicts) = (beginning, [])
        for entry in entries {
            guard let action = action(entry) else { continue }
            do { try state.apply(action, at: entry.time) } catch {
                conflicts.append(Conflict(sequence: entry.sequence, reason: error.reason))
            }
        }
    }
}
