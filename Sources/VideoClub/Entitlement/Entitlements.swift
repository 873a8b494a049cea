package import MediaCore
import Synchronization

/// The entitlements that every request for media checks, in memory: the titles that need a rental, and the rentals that
/// ended before their time. It is called on event loops, and never waits.
package final class Entitlements: Sendable {
    /// IDs of titles that not everybody may watch.
    struct Titles: Sendable {
        var withRental: Set<String> = []
        /// Trailers, if those are for members.
        var forMembers: Set<String> = []
    }

    private struct State {
        var titles = Titles()
        /// IDs of rentals.
        var endedEarly: Set<String> = []
        /// Names of files of titles that everybody may watch, for a short time. Compared as bytes: a name that no file
        /// has must not stand for one that Unicode takes for equal.
        var freeFiles: Set<MediaFileName> = []
        /// Number of questions to the database that have begun.
        var questionCount = 0
        /// Number of questions that had begun when an answer was last taken.
        var answeredCount = 0
        /// The last question whose answer was taken.
        var lastAnswered = 0
        /// Rentals that this server has ended, with the number of questions that had begun before.
        var ended: [(rental: String, questionCount: Int)] = []
    }

    private let state = Mutex(State())
    private let hasTitles = Atomic(false)

    /// Limit of the names that are remembered; they are found out again when it is reached.
    static let maximumFreeFileCount = 10_000

    init() {}

    /// Whether everybody may watch all titles.
    package var isEmpty: Bool { !hasTitles.load(ordering: .relaxed) }

    /// Whether a title needs a rental.
    package func needsRental(titleID: String) -> Bool {
        isEmpty ? false : state.withLock { $0.titles.withRental.contains(titleID) }
    }

    /// Whether a title is a trailer that is for members.
    package func isForMembers(titleID: String) -> Bool {
        isEmpty ? false : state.withLock { $0.titles.forMembers.contains(titleID) }
    }

    /// Whether the title whose file has a name may need a rental or an account. A name that is not known may: the
    /// database has to be asked.
    package func mayNeedRental(titleFile: MediaFileName) -> Bool {
        isEmpty ? false : state.withLock { !$0.freeFiles.contains(titleFile) }
    }

    /// Whether a rental has ended before its time, for which the ID of one is then worth looking up.
    package var hasEndedEarly: Bool { state.withLock { !$0.endedEarly.isEmpty } }

    /// Whether a rental has ended before its time.
    package func isEndedEarly(rental: String) -> Bool { state.withLock { $0.endedEarly.contains(rental) } }

    /// Notes that the database is going to be asked, so that an answer from before a change is known as such.
    ///
    /// - Returns: the number of the question.
    func beginQuestion() -> Int {
        state.withLock { state in
            state.questionCount += 1
            return state.questionCount
        }
    }

    /// Remembers the name of the file of a title that everybody may watch, or of which there is none, unless something
    /// has changed since the question.
    func noteFree(titleFile: MediaFileName, askedBy question: Int) {
        state.withLock { state in
            guard question > state.answeredCount else { return }
            if state.freeFiles.count >= Self.maximumFreeFileCount { state.freeFiles = [] }
            state.freeFiles.insert(titleFile)
        }
    }

    func noteEnd(of rental: String) {
        state.withLock { state in
            state.endedEarly.insert(rental)
            state.ended.append((rental, state.questionCount))
        }
    }

    /// Takes an answer of the database.
    ///
    /// - Parameters:
    ///   - titles: `nil` if they have not changed.
    ///   - endedEarly: the rentals that have ended early. What this server has ended since the question may be missing.
    ///   - question: the number of the question. An answer to an earlier one than the last does not replace rentals.
    func replace(titles: Titles?, endedEarly: Set<String>, askedBy question: Int) {
        state.withLock { state in
            if let titles { state.titles = titles }
            if question > state.lastAnswered {
                state.lastAnswered = question
                state.ended.removeAll { $0.questionCount < question }
                state.endedEarly = endedEarly.union(state.ended.map(\.rental))
            }
            state.answeredCount = state.questionCount
            // A title's file may have got the name of another one meanwhile.
            state.freeFiles = []
        }
        if let titles {
            hasTitles.store(!titles.withRental.isEmpty || !titles.forMembers.isEmpty, ordering: .relaxed)
        }
    }
}
