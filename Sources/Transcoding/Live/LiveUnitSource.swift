import Glibc
import MediaCore

/// The source of a transcoder thread's units, which also receives its reports.
protocol LiveUnitSource: AnyObject, Sendable {
    /// Waits for a unit; returns `nil` when no more come.
    func next() -> AccessUnit?
    /// Calls `body`, which delivers output, unless the transcoder has been closed.
    func deliver(_ body: () -> Void)
    /// Counts a unit that could not be decoded.
    func noteDamagedUnit()
    /// Closes the source: no units and no output any more.
    func close()
    /// Reports that the thread has freed its memory.
    func end()
}
