/// The sizes of pages of lists.
package enum ListLimits {
    /// Number of items if nobody asks for another one.
    package static let defaultSize = 20
    /// Limit of the items that somebody can ask for. Keeps a response below about 100 KB.
    package static let maximumSize = 100
}
