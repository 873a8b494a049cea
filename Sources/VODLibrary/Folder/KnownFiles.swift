/// The catalogue's files of one section, by file name and by revision. A moved file has another name and the same
/// revision.
struct KnownFiles: Sendable {
    private(set) var byName: [String: KnownRecord] = [:]
    private var namesByRevision: [String: Set<String>] = [:]

    func names(ofRevision revision: String) -> Set<String> { namesByRevision[revision] ?? [] }

    subscript(name: String) -> KnownRecord? {
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
