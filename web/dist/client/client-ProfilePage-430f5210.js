import{n as e,r as t,t as n}from"./client-libraries-df66e8dc.js";import{S as r,d as i,f as a,k as o,t as s,v as c}from"./client-Link-7ee8c216.js";import{E as l,a as u,b as d,c as f,l as p,o as m,s as h,u as g,v as _}from"./client-57fbb3e3.js";import{t as v}from"./client-useReadAgain-c88a0175.js";import{n as y}from"./client-PersonRow-bab033c6.js";import{t as b}from"./client-LiveList-de462fb4.js";import{t as x}from"./client-pages-eee6df26.js";import{t as S}from"./client-PeopleList-3f1bfb8a.js";t();var C=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`first`},t={defaultValue:null,kind:`LocalArgument`,name:`followers`},n={defaultValue:null,kind:`LocalArgument`,name:`following`},r={defaultValue:null,kind:`LocalArgument`,name:`handle`},i={defaultValue:null,kind:`LocalArgument`,name:`live`},a={defaultValue:null,kind:`LocalArgument`,name:`posts`},o=[{kind:`Variable`,name:`handle`,variableName:`handle`}],s={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},u=[{kind:`Variable`,name:`first`,variableName:`first`}],d={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null},m={alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},h={alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},g={alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},_={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},v={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},y={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},b={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},x={alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[p],storageKey:null},S=[d,f,c,s],C={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},w={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},T={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},E={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},D={alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null},O=[{alias:null,args:null,concreteType:`UserEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`node`,plural:!1,selections:[s,d,{alias:null,args:null,kind:`ScalarField`,name:`unavailable`,storageKey:null},f,c,x,m,h,g,l,E],storageKey:null},_],storageKey:null},D],k={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null};return{fragment:{argumentDefinitions:[e,t,n,r,i,a],kind:`Fragment`,metadata:null,name:`ProfilePageQuery`,selections:[{alias:null,args:o,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[s,c,l,{args:null,kind:`FragmentSpread`,name:`ProfilePage_head`},{condition:`posts`,kind:`Condition`,passingValue:!0,selections:[{fragment:{kind:`InlineFragment`,selections:[{args:u,kind:`FragmentSpread`,name:`ProfilePosts_user`}],type:`User`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`posts`}]},{condition:`following`,kind:`Condition`,passingValue:!0,selections:[{fragment:{kind:`InlineFragment`,selections:[{args:u,kind:`FragmentSpread`,name:`ProfilePeople_following`}],type:`User`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`following`}]},{condition:`followers`,kind:`Condition`,passingValue:!0,selections:[{fragment:{kind:`InlineFragment`,selections:[{args:u,kind:`FragmentSpread`,name:`ProfilePeople_followers`}],type:`User`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`followers`}]},{condition:`live`,kind:`Condition`,passingValue:!0,selections:[{fragment:{kind:`InlineFragment`,selections:[{args:u,kind:`FragmentSpread`,name:`ProfileLive_user`}],type:`User`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`live`}]}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[r,e,a,n,t,i],kind:`Operation`,name:`ProfilePageQuery`,selections:[{alias:null,args:o,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[s,c,l,d,f,{alias:null,args:null,kind:`ScalarField`,name:`createdAt`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[p,{alias:null,args:null,kind:`ScalarField`,name:`following`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`posts`,storageKey:null}],storageKey:null},m,h,g,{condition:`posts`,kind:`Condition`,passingValue:!0,selections:[{alias:null,args:u,concreteType:`FeedConnection`,kind:`LinkedField`,name:`posts`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[_,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[s,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},v,y,b,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,d,f,c,m,h,g,l,x],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[f,c,s],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[s,v,y,b,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:S,storageKey:null},C,w,T],storageKey:null},C,w,T,E],storageKey:null}],storageKey:null},D],storageKey:null},{alias:null,args:u,filters:null,handle:`connection`,key:`ProfilePosts_posts`,kind:`LinkedHandle`,name:`posts`}]},{condition:`following`,kind:`Condition`,passingValue:!0,selections:[{alias:null,args:u,concreteType:`UserConnection`,kind:`LinkedField`,name:`following`,plural:!1,selections:O,storageKey:null},{alias:null,args:u,filters:null,handle:`connection`,key:`ProfilePeople_following`,kind:`LinkedHandle`,name:`following`}]},{condition:`followers`,kind:`Condition`,passingValue:!0,selections:[{alias:null,args:u,concreteType:`UserConnection`,kind:`LinkedField`,name:`followers`,plural:!1,selections:O,storageKey:null},{alias:null,args:u,filters:null,handle:`connection`,key:`ProfilePeople_followers`,kind:`LinkedHandle`,name:`followers`}]},{condition:`live`,kind:`Condition`,passingValue:!0,selections:[{alias:null,args:u,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveSessions`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[k,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[s,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},k,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:S,storageKey:null},E],storageKey:null},_],storageKey:null},D],storageKey:null},{alias:null,args:u,filters:null,handle:`connection`,key:`ProfileLive_liveSessions`,kind:`LinkedHandle`,name:`liveSessions`}]}],storageKey:null}]},params:{cacheID:`352ca8f96b3914652c2b7092a6a34301`,id:null,metadata:{},name:`ProfilePageQuery`,operationKind:`query`,text:`query ProfilePageQuery(
  $handle: String!
  $first: Int!
  $posts: Boolean!
  $following: Boolean!
  $followers: Boolean!
  $live: Boolean!
) {
  user(handle: $handle) {
    id
    name
    viewerBlocks
    ...ProfilePage_head
    ...ProfilePosts_user_3ASum4 @include(if: $posts)
    ...ProfilePeople_following_3ASum4 @include(if: $following)
    ...ProfilePeople_followers_3ASum4 @include(if: $followers)
    ...ProfileLive_user_3ASum4 @include(if: $live)
  }
}

fragment FollowButton_user on User {
  handle
  viewerFollows
  ...useRelations_user
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}

fragment PersonRow_user on User {
  databaseId
  unavailable
  handle
  name
  counters {
    followers
  }
  ...FollowButton_user
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
    ...PostActions_post
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment ProfileLive_user_3ASum4 on User {
  name
  liveSessions(first: $first) {
    edges {
      state
      node {
        id
        ...LiveCard_session
        __typename
      }
      cursor
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment ProfilePage_head on User {
  databaseId
  handle
  name
  createdAt
  counters {
    followers
    following
    posts
  }
  ...FollowButton_user
  ...RelationMenu_user
  ...RelationNotes_user
}

fragment ProfilePeople_followers_3ASum4 on User {
  name
  followers(first: $first) {
    edges {
      node {
        id
        ...PersonRow_user
        __typename
      }
      cursor
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment ProfilePeople_following_3ASum4 on User {
  name
  following(first: $first) {
    edges {
      node {
        id
        ...PersonRow_user
        __typename
      }
      cursor
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment ProfilePosts_user_3ASum4 on User {
  name
  posts(first: $first) {
    edges {
      cursor
      node {
        id
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment RelationMenu_user on User {
  handle
  ...useRelations_user
}

fragment RelationNotes_user on User {
  ...useRelations_user
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})(),w={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`ProfilePage_head`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`createdAt`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`following`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`posts`,storageKey:null}],storageKey:null},{args:null,kind:`FragmentSpread`,name:`FollowButton_user`},{args:null,kind:`FragmentSpread`,name:`RelationMenu_user`},{args:null,kind:`FragmentSpread`,name:`RelationNotes_user`}],type:`User`,abstractKey:null},T=e(),E=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`id`}],t=[{kind:`Variable`,name:`id`,variableName:`id`}],n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`ProfileLivePageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`ProfileLive_user`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`ProfileLivePageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{kind:`InlineFragment`,selections:[a,{alias:null,args:n,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveSessions`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[o,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},o,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},a,i],storageKey:null},r],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`ProfileLive_liveSessions`,kind:`LinkedHandle`,name:`liveSessions`}],type:`User`,abstractKey:null}],storageKey:null}]},params:{cacheID:`156f021784035cf6db2608fa6d3edcbf`,id:null,metadata:{},name:`ProfileLivePageQuery`,operationKind:`query`,text:`query ProfileLivePageQuery(
  $after: String
  $first: Int
  $id: ID!
) {
  node(id: $id) {
    __typename
    ...ProfileLive_user_2HEEH6
    id
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}

fragment ProfileLive_user_2HEEH6 on User {
  name
  liveSessions(first: $first, after: $after) {
    edges {
      state
      node {
        id
        ...LiveCard_session
        __typename
      }
      cursor
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}
`}}})(),D=(function(){var e=[`liveSessions`],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`node`],operation:E,identifierInfo:{identifierField:`id`,identifierQueryVariableName:`id`}}},name:`ProfileLive_user`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:`liveSessions`,args:null,concreteType:`LiveConnection`,kind:`LinkedField`,name:`__ProfileLive_liveSessions_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,{args:null,kind:`FragmentSpread`,name:`LiveCard_session`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},t],type:`User`,abstractKey:null}})(),O=n();function k({user:e}){let{data:t,...n}=(0,T.usePaginationFragment)(D,e);return(0,O.jsx)(b,{edges:t.liveSessions.edges,pages:n,empty:(0,O.jsx)(d,{icon:`live`,title:x.profile.noLive,children:(0,O.jsx)(`p`,{children:x.profile.noLiveHint(t.name)})})})}var A=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`id`}],t=[{kind:`Variable`,name:`id`,variableName:`id`}],n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},d={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`ProfilePostsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`ProfilePosts_user`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`ProfilePostsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{kind:`InlineFragment`,selections:[a,{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`posts`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},o,s,c,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,l,u,a,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[u,a,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[i,o,s,c,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,a,i],storageKey:null},d,f,p],storageKey:null},d,f,p,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`ProfilePosts_posts`,kind:`LinkedHandle`,name:`posts`}],type:`User`,abstractKey:null}],storageKey:null}]},params:{cacheID:`ff717bd16a599234609c94415a5ab1e2`,id:null,metadata:{},name:`ProfilePostsPageQuery`,operationKind:`query`,text:`query ProfilePostsPageQuery(
  $after: String
  $first: Int
  $id: ID!
) {
  node(id: $id) {
    __typename
    ...ProfilePosts_user_2HEEH6
    id
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
    ...PostActions_post
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment ProfilePosts_user_2HEEH6 on User {
  name
  posts(first: $first, after: $after) {
    edges {
      cursor
      node {
        id
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})(),j=(function(){var e=[`posts`],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`node`],operation:A,identifierInfo:{identifierField:`id`,identifierQueryVariableName:`id`}}},name:`ProfilePosts_user`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:`posts`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__ProfilePosts_posts_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},t],type:`User`,abstractKey:null}})();function M({user:e}){let{data:t,hasNext:n,loadNext:r,isLoadingNext:i}=(0,T.usePaginationFragment)(j,e);return(0,O.jsx)(m,{label:x.profile.postsBy(t.name),edges:t.posts.edges.filter(e=>e.node!=null),hasNext:n,loadNext:r,loadingNext:i,empty:(0,O.jsx)(d,{icon:`compose`,title:x.profile.noPosts,children:(0,O.jsx)(`p`,{children:x.profile.noPostsHint(t.name)})}),end:x.profile.noMorePosts})}var N=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`id`}],t=[{kind:`Variable`,name:`id`,variableName:`id`}],n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`ProfilePeopleFollowingPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`ProfilePeople_following`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`ProfilePeopleFollowingPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{kind:`InlineFragment`,selections:[a,{alias:null,args:n,concreteType:`UserConnection`,kind:`LinkedField`,name:`following`,plural:!1,selections:[{alias:null,args:null,concreteType:`UserEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`unavailable`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},a,{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},r],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`ProfilePeople_following`,kind:`LinkedHandle`,name:`following`}],type:`User`,abstractKey:null}],storageKey:null}]},params:{cacheID:`4eb25d74ad8557057dbc4339c943b046`,id:null,metadata:{},name:`ProfilePeopleFollowingPageQuery`,operationKind:`query`,text:`query ProfilePeopleFollowingPageQuery(
  $after: String
  $first: Int
  $id: ID!
) {
  node(id: $id) {
    __typename
    ...ProfilePeople_following_2HEEH6
    id
  }
}

fragment FollowButton_user on User {
  handle
  viewerFollows
  ...useRelations_user
}

fragment PersonRow_user on User {
  databaseId
  unavailable
  handle
  name
  counters {
    followers
  }
  ...FollowButton_user
}

fragment ProfilePeople_following_2HEEH6 on User {
  name
  following(first: $first, after: $after) {
    edges {
      node {
        id
        ...PersonRow_user
        __typename
      }
      cursor
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})(),P=(function(){var e=[`following`],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`node`],operation:N,identifierInfo:{identifierField:`id`,identifierQueryVariableName:`id`}}},name:`ProfilePeople_following`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:`following`,args:null,concreteType:`UserConnection`,kind:`LinkedField`,name:`__ProfilePeople_following_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`UserEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,{args:null,kind:`FragmentSpread`,name:`PersonRow_user`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},t],type:`User`,abstractKey:null}})(),F=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`id`}],t=[{kind:`Variable`,name:`id`,variableName:`id`}],n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`ProfilePeopleFollowersPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`ProfilePeople_followers`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`ProfilePeopleFollowersPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{kind:`InlineFragment`,selections:[a,{alias:null,args:n,concreteType:`UserConnection`,kind:`LinkedField`,name:`followers`,plural:!1,selections:[{alias:null,args:null,concreteType:`UserEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`unavailable`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},a,{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},r],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`ProfilePeople_followers`,kind:`LinkedHandle`,name:`followers`}],type:`User`,abstractKey:null}],storageKey:null}]},params:{cacheID:`72aeab5050b03b4ce30f6c202ef92967`,id:null,metadata:{},name:`ProfilePeopleFollowersPageQuery`,operationKind:`query`,text:`query ProfilePeopleFollowersPageQuery(
  $after: String
  $first: Int
  $id: ID!
) {
  node(id: $id) {
    __typename
    ...ProfilePeople_followers_2HEEH6
    id
  }
}

fragment FollowButton_user on User {
  handle
  viewerFollows
  ...useRelations_user
}

fragment PersonRow_user on User {
  databaseId
  unavailable
  handle
  name
  counters {
    followers
  }
  ...FollowButton_user
}

fragment ProfilePeople_followers_2HEEH6 on User {
  name
  followers(first: $first, after: $after) {
    edges {
      node {
        id
        ...PersonRow_user
        __typename
      }
      cursor
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})(),I=(function(){var e=[`followers`],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`node`],operation:F,identifierInfo:{identifierField:`id`,identifierQueryVariableName:`id`}}},name:`ProfilePeople_followers`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:`followers`,args:null,concreteType:`UserConnection`,kind:`LinkedField`,name:`__ProfilePeople_followers_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`UserEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,{args:null,kind:`FragmentSpread`,name:`PersonRow_user`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},t],type:`User`,abstractKey:null}})();function L({user:e}){let{data:t,...n}=(0,T.usePaginationFragment)(P,e);return(0,O.jsx)(S,{label:x.profile.followedBy(t.name),people:t.following.edges,pages:n,empty:x.profile.followedByNone(t.name)})}function R({user:e}){let{data:t,...n}=(0,T.usePaginationFragment)(I,e);return(0,O.jsx)(S,{label:x.profile.followersOf(t.name),people:t.followers.edges,pages:n,empty:x.profile.followersNone(t.name)})}var z={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`RelationMenu_user`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`useRelations_user`}],type:`User`,abstractKey:null};function B({user:e}){let t=(0,T.useFragment)(z,e),{signedIn:n}=o(),r=h(t).filter(e=>e.relation!==`follow`);return(0,O.jsx)(f,{label:c.relations.menu(t.handle),className:`icon-button icon-button-ring`,items:r.map(e=>({...e,run:()=>n(e.run)})),children:(0,O.jsx)(l,{name:`more`})})}var V={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`RelationNotes_user`,selections:[{args:null,kind:`FragmentSpread`,name:`useRelations_user`}],type:`User`,abstractKey:null};function H({user:e}){let t=(0,T.useFragment)(V,e);return h(t).filter(e=>e.on&&e.relation!==`follow`).map(e=>(0,O.jsxs)(`p`,{className:`note`,children:[c.relations[e.relation].note,` `,(0,O.jsx)(`button`,{type:`button`,className:`text-button`,onClick:e.run,children:e.label})]},e.relation))}var U=C;function W({handle:e,tab:t,attempt:n}){let[{user:r}]=v(U,{handle:e,first:20,posts:t===`posts`,following:t===`following`,followers:t===`followers`,live:t===`live`},e=>e.user?.id,{fetchKey:n,fetchPolicy:`store-and-network`});return r?(0,O.jsxs)(O.Fragment,{children:[(0,O.jsx)(u,{title:r.name,back:!0}),(0,O.jsx)(G,{user:r}),(0,O.jsx)(`nav`,{className:`tabs`,"aria-label":x.profile.tabsLabel,children:p.map(n=>(0,O.jsx)(s,{href:g(e,n),"aria-current":n===t?`page`:void 0,children:x.profile.tabs[n]},n))}),r.viewerBlocks&&(r.posts||r.live)&&(0,O.jsx)(d,{icon:`person`,title:x.profile.blocked(e),children:(0,O.jsx)(`p`,{children:x.profile.blockedHint})}),r.posts&&!r.viewerBlocks&&(0,O.jsx)(M,{user:r.posts}),r.following&&(0,O.jsx)(L,{user:r.following}),r.followers&&(0,O.jsx)(R,{user:r.followers}),r.live&&!r.viewerBlocks&&(0,O.jsx)(k,{user:r.live})]}):(0,O.jsxs)(O.Fragment,{children:[(0,O.jsx)(u,{title:`@${e}`,back:!0}),(0,O.jsx)(d,{icon:`person`,title:x.profile.notFound,children:(0,O.jsx)(`p`,{children:x.profile.notFoundHint(e)})})]})}function G({user:e}){let t=(0,T.useFragment)(w,e),{session:n}=_(),{counters:o}=t;return(0,O.jsxs)(`section`,{className:`profile`,"aria-label":x.profile.about(t.name),children:[(0,O.jsx)(a,{id:t.databaseId}),(0,O.jsxs)(`div`,{className:`profile-row`,children:[(0,O.jsx)(i,{user:t,size:`large`}),n.user?.id===t.databaseId?(0,O.jsx)(s,{className:`button`,href:`/settings`,children:x.profile.settings}):(0,O.jsxs)(`div`,{className:`profile-actions`,children:[(0,O.jsx)(B,{user:t}),(0,O.jsx)(y,{user:t})]})]}),(0,O.jsx)(`p`,{className:`profile-name`,children:(0,O.jsx)(`bdi`,{children:t.name})}),(0,O.jsxs)(`p`,{className:`profile-handle`,children:[`@`,t.handle,` · `,x.profile.joined(t.createdAt)]}),(0,O.jsxs)(`p`,{className:`profile-counts`,children:[(0,O.jsxs)(`span`,{children:[(0,O.jsx)(`strong`,{children:r(o.posts)}),` `,x.profile.posts(o.posts)]}),` `,(0,O.jsxs)(s,{href:g(t.handle,`following`),children:[(0,O.jsx)(`strong`,{children:r(o.following)}),` `,x.profile.following]}),` `,(0,O.jsxs)(s,{href:g(t.handle,`followers`),children:[(0,O.jsx)(`strong`,{children:r(o.followers)}),` `,x.profile.followers(o.followers)]})]}),(0,O.jsx)(H,{user:t})]})}export{W as default};