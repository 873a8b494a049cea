/// The contents of a new category, or a change of one; `nil` leaves a field as it is.
package struct ForumCategoryChange: Sendable {
    package var name: String?
    package var text: String?
    /// The position in the list; equal ones are in the order in which they were made.
    package var place: Int64?

    package init() {}
}
