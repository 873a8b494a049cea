/// What has changed between the catalogue and the folder.
struct LibraryDifference: Equatable {
    var added: [FoundFile] = []
    /// New files that may still be written to.
    var unsettled: [FoundFile] = []
    /// With the id of the record they had.
    var changed: [String: FoundFile] = [:]
    /// Ids and names of files that have gone.
    var vanished: [String: String] = [:]
    /// Ids and file names of what has no job though it needs one: cut off by a kill, or the queue was full.
    var interrupted: [String: String] = [:]

    /// What the difference needs to know of a record.
    struct Known: Sendable, Equatable {
        var id: String
        var revision: String
        var isFinal: Bool
        var byteCount: Int64 = 0
    }

    /// - Parameters:
    ///   - known: the catalogue's records by file name.
    ///   - isSettled: whether a new or changed file can be taken to be written to its end; asked for those only.
    ///   - isBusy: whether a job for the id is queued or running.
    init(
        listing: FolderListing, known: [String: Known], isSettled: (FoundFile) -> Bool, isBusy: (String) -> Bool
    ) {
        var names = Set<String>(minimumCapacity: listing.files.count)
        for file in listing.files {
            names.insert(file.name)
            guard let record = known[file.name] else {
                if isSettled(file) { added.append(file) } else { unsettled.append(file) }
                continue
            }
            if isBusy(record.id) {
                // The job notes what it read; a change under its hands is seen when it is done.
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
