import Foundation

/// Tells files that are still being written from those that are finished: by their age, or by two looks alike.
struct FileSettling {
    /// Revisions at the last look, by name.
    private var lastLook: [String: String] = [:]
    private var thisLook: [String: String] = [:]

    /// Copying programs write more often than this.
    static let quietSeconds = 1.0

    /// A new look at the folder begins; what the last one found is compared with it.
    mutating func beginLook() {
        lastLook = thisLook
        thisLook = [:]
    }

    /// Whether another look is needed to tell.
    var isUndecided: Bool { !thisLook.isEmpty }

    /// - Parameter now: a date in the past of the file's tells nothing about its age: clocks of other machines differ.
    mutating func isSettled(_ file: FoundFile, now: Date) -> Bool {
        let age = now.timeIntervalSince1970 - Double(file.modificationTime) / 1e9
        if age >= Self.quietSeconds { return true }
        thisLook[file.name] = file.revision
        return lastLook[file.name] == file.revision
    }
}
