package import HTTPEndpoints
package import Workflows

/// The pages with which operators look after the library.
package struct LibraryPages: Sendable {
    package let endpoints: [Endpoint]

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - content: the library.
    package init(pages: AccountPages, content: any ContentSource) {
        endpoints = DetailPages(pages: pages, content: content, library: content.library).endpoints
    }
}
