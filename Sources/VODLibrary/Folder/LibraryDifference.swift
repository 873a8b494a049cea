import MediaFolders

/// The differences between the catalogue and the folder.
struct LibraryDifference: Equatable {
    var added: [FoundFile] = []
    /// New files that may still be written to.
    var unsettled: [FoundFile] = []
    /// Changed files, keyed by the ID of their record.
    var changed: [String: FoundFile] = [:]
    /// Names of files that are gone, keyed by the ID of their record.
    var vanished: [String: String] = [:]
    /// File names of records that need a job and have none, because of a crash or a full queue, keyed by the record's
    /// ID.
    var interrupted: [String: String] = [:]

    /// - Parameters:
    ///   - known: the catalogue's records, keyed by file name.
    ///   - forbidden: the names of files that the server may not read, among those that failed for that reason.
    ///   - isSettled: whether a new or changed file can be taken as completely written; called only for such files.
    ///   - isBusy: whether a job for the id is queued or running.
    init(
        listing: FolderListing, known: [String: KnownRecord], forbidden: Set<String> = [],
        isSettled: (FoundFile) -> Bool, isBusy: (String) -> Bool
    ) {
        var names = Set<String>(minimumCapacity: listing.files.count)
        for file in listing.files {
            names.insert(file.name)
            guard let record = known[file.name] else {
                if isSettled(file) { added.append(file) } else { unsettled.append(file) }
                continue
            }
            if isBusy(record.id) || forbidden.contains(file.name) {
                // The job checks the file when it is done, and notices a change made meanwhile. A file that may not be
                // read would only fail again.
            } else if record.revision != file.revision {
                if isSettled(file) { changed[record.id] = file }
            } else if !record.isFinal {
                interrupted[record.id] = file.name
            }
        }
        for (name, record) in known where !names.contains(name) && listing.couldSee(name) {
            vanished[record.id] = name
        }
    }
}
