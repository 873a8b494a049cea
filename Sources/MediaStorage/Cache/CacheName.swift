/// The properties that distinguish the files of the cache.
struct CacheName: Sendable, Hashable {
    var key: String
    var version: String
}
