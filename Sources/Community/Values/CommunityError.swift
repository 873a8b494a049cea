/// A request to the community that cannot be carried out, with a reason that says what to do.
package struct CommunityError: Error, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: Hashable, Sendable {
        case notFound
        /// Nobody has logged in, or the caller has no account.
        case loginNeeded
        /// The caller may not do this with this item.
        case notAllowed
        case missingFields
        case invalidField
        case invalidCursor
        /// It was changed meanwhile.
        case changedMeanwhile
        /// The state of the item does not allow it, such as a comment where comments are closed.
        case conflict
        /// There are as many as there may be.
        case tooMany
        /// The member has done too much of this for now.
        case tooOften(retryAfterSeconds: Int64)
    }

    package var code: Code
    /// A sentence without a full stop.
    package var reason: String
    /// The field that is meant; `nil` if none is.
    package var field: String?
    /// The numbers that the field may have; `nil` if it is not a number.
    package var range: ClosedRange<Int>?

    package init(_ code: Code, _ reason: String, field: String? = nil, range: ClosedRange<Int>? = nil) {
        (self.code, self.reason, self.field, self.range) = (code, reason, field, range)
    }

    package var description: String { reason }

    static var invalidCursor: CommunityError {
        CommunityError(.invalidCursor, "the cursor is not the `next` value of a page of this list")
    }
}
