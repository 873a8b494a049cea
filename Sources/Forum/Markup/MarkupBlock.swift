/// A block of a member's text.
package indirect enum MarkupBlock: Sendable, Hashable {
    case paragraph([MarkupSpan])
    /// A heading, from 1 for the largest to 3.
    case heading(Int, [MarkupSpan])
    /// Words of somebody else; the number and the author of the comment if the first line names them.
    case quote([MarkupBlock], place: Int64?, author: String?)
    case list([[MarkupSpan]], isOrdered: Bool)
    /// Lines that are shown as they are.
    case code(String)
}
