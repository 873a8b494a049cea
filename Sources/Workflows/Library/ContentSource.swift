package import Catalogue

/// All content that the API and the site show. The server uses `ServerContent`; tests use one in memory. An endpoint
/// asks for the role that it needs.
package protocol ContentSource: ChannelContent, TitleContent, TrackContent, ContentCounts, ContentIngest,
    ServerReadiness
{
    /// The operations of the API on jobs, uploads and files.
    var library: any LibraryOperations { get }
    /// Series, albums and artists.
    var collections: any CollectionStore { get }
}
