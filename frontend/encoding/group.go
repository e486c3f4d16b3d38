package encoding

// GroupMember holds a group's size.
const GroupMember = "__kl_size"

// TilePartition is tiled_partition<N>(g) with N as its first argument.
const TilePartition = "__kl_tiled_partition"

// GroupTypes are the names of the group types.
var GroupTypes = []string{"thread_block", "thread_group", "thread_block_tile", "coalesced_group", "grid_group", "multi_grid_group"}
