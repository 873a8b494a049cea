/// The catalogue's files of one section, by file name and by revision. A moved file has another name and the same
/// revision.
struct KnownFiles {
    private(set) var byName: [String: LibraryDifference.Known] = [:]
    private var namesByRevision: [String: Set<String>] = [:]

    var names: some Collection<String> { byName.keys }

    func names(ofRevision revision: String) -> Set<String> { namesByRevision[revision] ?? [] }

    subscript(name: String) -> LibraryDifference.Known? {
        get { byName[name] }
        set {
            if let old = byName[name]?.revision {
                namesByRevision[old]?.remove(name)
                if namesByRevision[old]?.isEmpty == true { namesByRevision[old] = nil }
            }
            byName[name] = newValue
            if let newValue { namesByRevision[newValue.revision, default: []].insert(name) }
        }
    }
}
