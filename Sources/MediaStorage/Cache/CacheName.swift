/// What distinguishes the files of the cache.
struct CacheName: Sendable, Hashable {
    var key: String
    var version: String
}
