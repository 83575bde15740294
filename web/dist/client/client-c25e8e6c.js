const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["client-ProfilePage-974172e8.js","client-libraries-df66e8dc.js","client-PageHead-9593d332.js","client-PersonRow-5e19df6c.js","client-LiveList-67eda3aa.js","client-PeopleList-5595b541.js","client-SearchPage-f88a4501.js","client-LivePage-3c2d1438.js","client-SettingsPage-82495cad.js"])))=>i.map(i=>d[i]);
import{a as e,i as t,n,r,t as i}from"./client-libraries-df66e8dc.js";import{A as a,B as o,C as s,D as c,E as l,F as u,G as d,H as f,I as p,J as m,K as h,L as g,M as _,O as v,P as y,R as b,T as x,U as S,V as C,W as w,X as T,Y as E,_ as ee,a as D,b as te,c as ne,d as O,f as k,g as re,h as ie,i as A,j as ae,k as oe,l as se,o as ce,p as j,q as M,r as le,s as N,t as ue,u as P,v as de,w as fe,x as pe,y as me,z as he}from"./client-PageHead-9593d332.js";var F=e(),ge=t(),I=n(),L=r(),_e=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:[{kind:`Literal`,name:`first`,value:0}],concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:[{kind:`Variable`,name:`since`,variableName:`since`}],kind:`ScalarField`,name:`newCount`,storageKey:null}],storageKey:`homeFeed(first:0)`}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`newsCountQuery`,selections:t,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`newsCountQuery`,selections:t},params:{cacheID:`0954bfc113187bf34c3c449b98d24d4d`,id:null,metadata:{},name:`newsCountQuery`,operationKind:`query`,text:`query newsCountQuery(
  $since: String!
) {
  viewer {
    homeFeed(first: 0) {
      newCount(since: $since)
    }
  }
}
`}}})();_e.hash=`a42fbd497a2b580fcae75f7fa785b0ca`;var ve=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null};return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`newsHomeFeedSubscription`,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`homeFeedEdges`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,n,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,i],storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null}],type:`Subscription`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`newsHomeFeedSubscription`,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`homeFeedEdges`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,n,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,i,t,a,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[t,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[a,i,t],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[t,o,s,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,a,i,t],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],storageKey:null}],storageKey:null}]},params:{cacheID:`773895801eef3fa4f3ba64057a795174`,id:null,metadata:{},name:`newsHomeFeedSubscription`,operationKind:`subscription`,text:`subscription newsHomeFeedSubscription {
  homeFeedEdges {
    cursor
    node {
      id
      databaseId
      publishedAt
      author {
        databaseId
        name
        id
      }
      ...PostCard_post
    }
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
`}}})();ve.hash=`80bff645903e39c35555cd0294d3b982`;function R(e,t=Math.random()){let n=Math.min(3e4,500*2**Math.min(e,10));return n/2+n/2*t}function ye(e,t){if(e.publishedAt!==t.publishedAt)return e.publishedAt>t.publishedAt?-1:1;let[n,r]=[e.databaseId,t.databaseId];return n.length===r.length?n===r?0:n>r?-1:1:n.length>r.length?-1:1}function be(e,t,n){if(t.some(t=>t.id===e.id))return`shown`;let r=t.findIndex(e=>e.cursor!==null&&e.cursor===n),i=t[Math.max(r,0)];if(!i||ye(e,i)<0)return`above`;let a=t.slice(Math.max(r,0)).find(t=>t.cursor!==null&&ye(e,t)<0);return a?.cursor?{before:a.cursor}:`below`}function xe(e,t){return Math.max(e,t)}function Se(e){return e>=100?`100+ new posts`:e===1?`1 new post`:`${e} new posts`}var Ce={posts:[],counted:0},we=1e3,Te=class{environment;socket;state=E(Ce);#e=null;#t=null;#n=new Set;#r=0;constructor(e,t){this.environment=e,this.socket=t}start(){return this.socket.onOpen=()=>this.#s(we,()=>void this.count()),this.#i(),()=>{this.#t?.dispose(),this.#t=null;for(let e of this.#n)clearTimeout(e);this.socket.close()}}setTop(e){e!==this.#e&&(this.#e=e,this.state.set({...this.state.get(),counted:0}))}announced(){return this.state.get().posts.map(e=>e.id)}read(e){this.settle(new Set(e)),this.state.set({...this.state.get(),counted:0})}settle(e){let{posts:t,counted:n}=this.state.get();this.state.set({posts:t.filter(t=>!e.has(t.id)),counted:n})}async count(){let e=this.#e;if(e===null)return;let t=(await(0,L.fetchQuery)(this.environment,_e,{since:e},{fetchPolicy:`network-only`}).toPromise().catch(()=>null))?.viewer?.homeFeed.newCount;t!==void 0&&e===this.#e&&this.state.set({...this.state.get(),counted:t})}#i(){this.#t=(0,L.requestSubscription)(this.environment,{subscription:ve,variables:{},onNext:e=>e&&this.#a({...e.homeFeedEdges.node,cursor:e.homeFeedEdges.cursor}),onError:()=>this.#o(),onCompleted:()=>this.#o()})}#a(e){this.#r=0;let{posts:t,counted:n}=this.state.get();t.some(t=>t.id===e.id)||this.state.set({posts:[...t,e].slice(-100),counted:t.length<100?n&&Math.min(n+1,100):100})}#o(){this.#s(R(this.#r++),()=>{this.#t?.dispose(),this.#i(),this.#s(we,()=>void this.count())})}#s(e,t){let n=setTimeout(()=>{this.#n.delete(n),t()},e);this.#n.add(n)}},Ee=2,De=e=>new Promise(t=>setTimeout(t,e));function Oe(e,t,n,r){let i=async(n,i)=>{let a=t.status.get().limitedUntil-Date.now();if(a>0)throw new u(`RATE_LIMITED`,`the server asked for a pause`,null,Math.ceil(a/1e3));let o=t.asked(),s=await Ae(e,{query:n.text,variables:i}).catch(()=>null);if(!s)throw t.lost(),new u(`UNREACHABLE`,`the server does not answer`);o();let c=await s.json().catch(()=>null),l=g(s.status,c,e=>s.headers.get(e))??ke(c,r);if(!l)return c;throw l.code===`RATE_LIMITED`&&t.limited(l.retryAfter),l.code===`UNAUTHENTICATED`&&r.signedOut(),l};return L.Network.create(async(e,t)=>{for(let n=0;;n++)try{return await i(e,t)}catch(t){if(!(e.operationKind===`query`&&t instanceof u&&t.code===`UNAVAILABLE`)||n===Ee)throw t;await De(Math.max(R(n),t.retryAfter*1e3))}},(e,t)=>L.Observable.create(i=>n.subscribe({query:e.text??``,variables:t},{next:i.next,complete:i.complete,error(e){e instanceof u&&e.code===`UNAUTHENTICATED`&&r.signedOut(),i.error(e)}})))}function ke(e,t){let n=e.data;return!t.known||n?.viewer!==null?null:new u(`UNAUTHENTICATED`,`the session is over`)}function Ae(e,t){return fetch(e,{method:`POST`,headers:{"Content-Type":`application/json`,Accept:`application/graphql-response+json, application/json;q=0.5`},body:JSON.stringify(t)})}var je=20;function Me(e,t,n){return new L.Environment({network:Oe(`/graphql`,e,t,n),store:new L.Store(new L.RecordSource,{gcReleaseBufferSize:je})})}var Ne=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),Pe=function(e){return`/assets/`+e},Fe={},Ie=function(e){return e.pathname.endsWith(`.css`)},Le=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},z=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=Pe(t,n);let r=s(t),i=Ie(r);return Le(Fe,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:Ne,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},Re=class{endpoint;onOpen=()=>void 0;#e=null;#t=0;constructor(e){this.endpoint=e}subscribe(e,t){let n=!1,r=()=>void 0;return this.#n().then(i=>{n||(r=i.subscribe(e,ze(t)))},e=>t.error(e)),()=>{n=!0,r()}}close(){this.#e?.then(e=>e.dispose())}#n(){return this.#e??=z(async()=>{let{createClient:e}=await import(`./client-dist-22dc98f1.js`);return{createClient:e}},[]).then(({createClient:e})=>e({url:new URL(this.endpoint,location.href.replace(/^http/,`ws`)).href,keepAlive:2e4,retryAttempts:1/0,shouldRetry:()=>!0,retryWait:()=>new Promise(e=>setTimeout(e,R(this.#t++))),onNonLazyError:()=>void 0,on:{connected:()=>{this.#t=0,this.onOpen()}}})),this.#e}};function ze(e){return{next(t){let n=t.errors?.[0];n?e.error(new u(String(n.extensions?.code??`INTERNAL`),n.message)):e.next(t)},error:()=>e.error(new u(`UNAVAILABLE`,`the subscription has ended`)),complete:()=>e.complete()}}var Be=(function(){var e=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`DeskProviderQuery`,selections:e,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`DeskProviderQuery`,selections:e},params:{cacheID:`8fb00b43f0cae9ad702976b68b983e5f`,id:null,metadata:{},name:`DeskProviderQuery`,operationKind:`query`,text:`query DeskProviderQuery {
  viewer {
    user {
      id
      databaseId
      handle
      name
    }
  }
}
`}}})();Be.hash=`e442c5ea5fac26821581523baf9c1f37`;var B=i();function V({title:e,onClose:t,children:n}){let r=(0,F.useRef)(null),i=(0,F.useId)();return(0,F.useLayoutEffect)(()=>{let e=r.current;return e?.showModal(),()=>e?.close()},[]),(0,B.jsx)(`dialog`,{ref:r,className:`dialog`,"aria-labelledby":i,onClose:t,onClick:e=>e.target===r.current&&t(),children:(0,B.jsxs)(`div`,{className:`dialog-body`,children:[(0,B.jsxs)(`header`,{className:`dialog-head`,children:[(0,B.jsx)(`h2`,{id:i,children:e}),(0,B.jsx)(`button`,{type:`button`,className:`icon-button`,"aria-label":`Close`,onClick:t,children:(0,B.jsx)(M,{name:`close`})})]}),n]})})}function Ve(e){return(0,B.jsxs)(V,{title:e.title,onClose:e.onClose,children:[(0,B.jsx)(`p`,{children:e.text}),(0,B.jsxs)(`div`,{className:`dialog-foot`,children:[(0,B.jsx)(`button`,{type:`button`,className:`button`,onClick:e.onClose,children:`Keep it`}),(0,B.jsx)(`button`,{type:`button`,className:`button button-danger`,onClick:()=>{e.onClose(),e.onYes()},children:e.yes})]})]})}var He=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{kind:`Variable`,name:`input`,variableName:`input`}],n={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null},i],storageKey:null}],type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],storageKey:null}],storageKey:null},i],storageKey:null}]},params:{cacheID:`dd42d8db0226a61bceabc188dd86bbca`,id:null,metadata:{},name:`publishMutation`,operationKind:`mutation`,text:`mutation publishMutation(
  $input: PublishPostInput!
) {
  publishPost(input: $input) {
    feedEdge {
      cursor
      node {
        id
        ...PostCard_post
      }
    }
    userErrors {
      code
      message
    }
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
`}}})();He.hash=`233b0928672ca761592dd224964a63c7`;var Ue=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`likePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsLikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsLikeMutation`,selections:t},params:{cacheID:`5f5c16897aa502258d9192176fa5470e`,id:null,metadata:{},name:`PostMutationsLikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsLikeMutation(
  $input: PostIdInput!
) {
  payload: likePost(input: $input) {
    post {
      id
      viewerHasLiked
      counters {
        likes
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Ue.hash=`dc5beafaa3a494073eed664b4213b5bb`;var We=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unlikePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnlikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnlikeMutation`,selections:t},params:{cacheID:`a451dbb9d5cac0527fe1a56f120c37ed`,id:null,metadata:{},name:`PostMutationsUnlikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnlikeMutation(
  $input: PostIdInput!
) {
  payload: unlikePost(input: $input) {
    post {
      id
      viewerHasLiked
      counters {
        likes
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();We.hash=`4acf0800e979777a9d20699309ed48bf`;var Ge=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`favoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsFavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsFavoriteMutation`,selections:t},params:{cacheID:`cf604bd18f55b96dd44381b269b047b1`,id:null,metadata:{},name:`PostMutationsFavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsFavoriteMutation(
  $input: PostIdInput!
) {
  payload: favoritePost(input: $input) {
    post {
      id
      viewerHasFavorited
      counters {
        favorites
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Ge.hash=`070dafa5c59f9ca7ef1744a7e0dc4ca6`;var Ke=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unfavoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnfavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnfavoriteMutation`,selections:t},params:{cacheID:`c7aac1c2d4db3acc4a72d6baca54d838`,id:null,metadata:{},name:`PostMutationsUnfavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnfavoriteMutation(
  $input: PostIdInput!
) {
  payload: unfavoritePost(input: $input) {
    post {
      id
      viewerHasFavorited
      counters {
        favorites
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Ke.hash=`79b49cf83f57b17e19a1f90a4a940357`;var qe=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`EditPostPayload`,kind:`LinkedField`,name:`editPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsEditMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsEditMutation`,selections:t},params:{cacheID:`973476de504462afe3e18d27c943e77e`,id:null,metadata:{},name:`PostMutationsEditMutation`,operationKind:`mutation`,text:`mutation PostMutationsEditMutation(
  $input: EditPostInput!
) {
  editPost(input: $input) {
    post {
      id
      text
      editedAt
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();qe.hash=`e41a65eaca77822e4fc92c92b519c950`;var Je=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`DeletePostPayload`,kind:`LinkedField`,name:`deletePost`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`deletedPostId`,storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsDeleteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsDeleteMutation`,selections:t},params:{cacheID:`850bb52c5c5cf07c4e6fce9ad4d87db2`,id:null,metadata:{},name:`PostMutationsDeleteMutation`,operationKind:`mutation`,text:`mutation PostMutationsDeleteMutation(
  $input: PostIdInput!
) {
  deletePost(input: $input) {
    deletedPostId
    userErrors {
      code
      message
    }
  }
}
`}}})();Je.hash=`6fb8a99b0ebfdf8dd05ff0326a094bbc`;var Ye=Ue,Xe=We;function Ze({id:e,viewerHasLiked:t,counters:n}){let r=!t,i={id:e,viewerHasLiked:r,counters:{likes:n.likes+(r?1:-1)}};return{mutation:r?Ye:Xe,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}var Qe=Ge,$e=Ke;function et({id:e,viewerHasFavorited:t,counters:n}){let r=!t,i={id:e,viewerHasFavorited:r,counters:{favorites:n.favorites+(r?1:-1)}};return{mutation:r?Qe:$e,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}function tt(e,t,n){return{mutation:qe,variables:{input:{postId:e,text:t}},optimisticResponse:{editPost:{post:{id:e,text:t,editedAt:n},userErrors:[]}}}}function nt(e){let t=t=>{t.delete(e.id),e.replyTo&&H(t,e.replyTo,`comments`,-1),e.repostOf&&H(t,e.repostOf,`reposts`,-1)};return{mutation:Je,variables:{input:{postId:e.id}},optimisticUpdater:t,updater:t}}function H(e,t,n,r){let i=e.get(t)?.getLinkedRecord(`counters`),a=i?.getValue(n);typeof a==`number`&&i?.setValue(Math.max(0,a+r),n)}var rt=`HomeTimeline_homeFeed`;function U(e){let t=e.get(L.ROOT_ID)?.getLinkedRecord(`viewer`);return t?L.ConnectionHandler.getConnection(t,rt):void 0}var it=He;function at(e,t,n){return{mutation:it,variables:{input:{...e,idempotencyKey:t}},optimisticUpdater:r=>{let i=n?r.get(n):null;i&&ct(r,st(r,e,t,i),null,e,i)},updater:t=>{let r=t.getRootField(`publishPost`)?.getLinkedRecord(`feedEdge`),i=r?.getLinkedRecord(`node`),a=r?.getValue(`cursor`);i&&ct(t,i,typeof a==`string`?a:null,e,n?t.get(n)??null:null)}}}var ot=e=>e.startsWith(`pending:`);function st(e,t,n,r){let i=e.create(`pending:${n}`,`Post`),a=e.create(`pending:${n}:counters`,`PostCounters`);for(let e of[`likes`,`comments`,`reposts`,`favorites`])a.setValue(0,e);let o={id:`pending:${n}`,databaseId:`0`,kind:lt(t),text:t.text,media:[],publishedAt:new Date().toISOString(),editedAt:null,viewerHasLiked:!1,viewerHasFavorited:!1};for(let[e,t]of Object.entries(o))i.setValue(t,e);i.setLinkedRecord(r,`author`),i.setLinkedRecord(a,`counters`);for(let n of[`replyTo`,`repostOf`]){let r=t[n]?e.get(t[n]):null;r?i.setLinkedRecord(r,n):i.setValue(null,n)}return i}function ct(e,t,n,r,i){let a=r.replyTo?e.get(r.replyTo):null,o=[U(e),i&&L.ConnectionHandler.getConnection(i,`ProfilePosts_posts`),a&&L.ConnectionHandler.getConnection(a,`PostComments_comments`)];for(let r of o){if(!r)continue;let i=L.ConnectionHandler.createEdge(e,r,t,`FeedEdge`);i.setValue(r===o[0]?n:null,`cursor`),L.ConnectionHandler.insertEdgeBefore(r,i)}r.replyTo&&H(e,r.replyTo,`comments`,1),r.repostOf&&H(e,r.repostOf,`reposts`,1)}function lt(e){return e.replyTo?`COMMENT`:e.repostOf?`REPOST`:`POST`}function ut(){return[...crypto.getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,`0`)).join(``)}var dt=5e3,ft=200;function pt({label:e,value:t,placeholder:n,autoFocus:r=!1,onChange:i,onSend:a}){let o=(0,F.useRef)(null),s=(0,F.useId)();(0,F.useEffect)(()=>{let e=o.current;e&&(e.style.height=`auto`,e.style.height=`${e.scrollHeight}px`)},[t]),(0,F.useEffect)(()=>{let e=o.current;r&&e&&(e.focus(),e.setSelectionRange(e.value.length,e.value.length))},[r]);let c=dt-re(t);return(0,B.jsxs)(`div`,{className:`text-field`,children:[(0,B.jsx)(`textarea`,{ref:o,rows:1,"aria-label":e,"aria-describedby":s,"aria-invalid":c<0,placeholder:n,value:t,onChange:e=>i(e.target.value),onKeyDown:e=>{e.key===`Enter`&&(e.ctrlKey||e.metaKey)&&(e.preventDefault(),a())}}),(0,B.jsx)(`span`,{id:s,className:c<0?`left left-over`:`left`,role:`status`,children:c<0?`${-c} too many`:c<=ft?`${c} left`:``})]})}function mt({draft:e,autoFocus:t=!1,onSent:n}){let[r,i]=(0,F.useState)(e.text),a=(0,F.useRef)({text:``,key:``}),{account:o}=S(),s=k(),c=re(r)<=5e3&&(r.trim()!==``||e.repostOf!==void 0),l=ht(e),u=async()=>{if(!c)return;a.current.text!==r&&(a.current={text:r,key:ut()});let{about:t,...l}=e;i(``),n?.(),await s(at({...l,text:r},a.current.key,o?.id??null),`Not published`)||i(e=>e||r)};return(0,B.jsxs)(`form`,{className:`composer`,"aria-label":l.label,onSubmit:e=>{e.preventDefault(),u()},children:[o?(0,B.jsx)(j,{user:o}):(0,B.jsx)(`span`,{className:`avatar`}),(0,B.jsxs)(`div`,{className:`composer-main`,children:[e.about&&(0,B.jsxs)(`blockquote`,{className:`quoted`,children:[(0,B.jsxs)(`p`,{className:`post-by`,children:[(0,B.jsx)(`strong`,{children:e.about.name}),` `,(0,B.jsxs)(`span`,{className:`post-handle`,children:[`@`,e.about.handle]})]}),(0,B.jsx)(`p`,{className:`post-text composer-about`,children:e.about.text})]}),(0,B.jsx)(pt,{label:l.label,placeholder:l.placeholder,value:r,onChange:i,onSend:()=>void u(),autoFocus:t}),(0,B.jsxs)(`div`,{className:`composer-foot`,children:[(0,B.jsx)(`small`,{className:`composer-hint`,children:`Ctrl + Enter sends`}),(0,B.jsx)(`button`,{type:`submit`,className:`button button-primary`,"aria-disabled":!c,children:l.button})]})]})]})}function ht(e){return e.replyTo?{label:`Your reply`,placeholder:`Write a reply`,button:`Reply`}:e.repostOf?{label:`Your words on it`,placeholder:`Say something about it`,button:`Repost`}:{label:`New post`,placeholder:`What washed up today?`,button:`Post`}}function gt(){let{session:e,change:t}=s(),[n,r]=(0,F.useState)(``),[i,a]=(0,F.useState)(!1),o=me(location.search,location.href),c=async e=>{if(!i){a(!0),r(``);try{let n=await pe(e);o&&n.admin?location.assign(o):t(n)}catch(e){r(_t(e)),a(!1)}}};return(0,B.jsxs)(`section`,{className:`sign-in`,"aria-labelledby":`sign-in-title`,"aria-busy":i,children:[(0,B.jsx)(`h2`,{id:`sign-in-title`,children:`Sign in`}),o&&(0,B.jsx)(`p`,{className:`note`,role:`status`,children:vt(new URL(o,location.href).pathname,e)}),n&&(0,B.jsx)(`p`,{className:`note note-bad`,role:`alert`,children:n}),e.demoUsers.length>0&&(0,B.jsx)(yt,{users:e.demoUsers,onChoose:e=>void c({demoUserId:e})}),(0,B.jsx)(bt,{onToken:e=>void c({token:e})})]})}function _t(e){if(e instanceof u&&e.code!==`UNREACHABLE`)return`That did not work: ${b(e.message)}`;let{title:t,help:n}=p(e);return`That did not work: ${t.toLowerCase()}. ${n}`}function vt(e,{user:t}){return t?`${e} is for administrators, and @${t.handle} is none. Sign in with the token of one.`:`${e} is for administrators: sign in as one to open it.`}function yt({users:e,onChoose:t}){return(0,B.jsxs)(B.Fragment,{children:[(0,B.jsx)(`h3`,{id:`demo-title`,children:`As a demo user`}),(0,B.jsx)(`p`,{className:`hint`,children:`On this machine only, and without a password.`}),(0,B.jsx)(`ul`,{className:`demo-users`,"aria-labelledby":`demo-title`,children:e.map(e=>(0,B.jsx)(`li`,{children:(0,B.jsxs)(`button`,{type:`button`,className:`demo-user`,onClick:()=>t(e.id),children:[(0,B.jsx)(j,{user:{databaseId:e.id,name:e.name||e.handle}}),(0,B.jsxs)(`span`,{className:`person-words`,children:[(0,B.jsx)(`strong`,{children:e.name||e.handle}),` `,(0,B.jsxs)(`span`,{children:[`@`,e.handle]})]})]})},e.id))})]})}function bt({onToken:e}){let t=(0,F.useRef)(null);return(0,B.jsxs)(`form`,{className:`token-form`,onSubmit:n=>{n.preventDefault();let r=t.current?.value.trim();r&&e(r)},children:[(0,B.jsx)(`h3`,{children:(0,B.jsx)(`label`,{htmlFor:`token`,children:`With a token`})}),(0,B.jsxs)(`p`,{className:`hint`,id:`token-hint`,children:[`Make one with `,(0,B.jsx)(`code`,{children:`tideline token --user 1`}),`, and add `,(0,B.jsx)(`code`,{children:`--admin`}),` to open the task queues.`]}),(0,B.jsxs)(`div`,{className:`token-row`,children:[(0,B.jsx)(M,{name:`key`}),(0,B.jsx)(`input`,{ref:t,id:`token`,type:`password`,autoComplete:`off`,autoCapitalize:`off`,spellCheck:!1,required:!0,"aria-describedby":`token-hint`}),(0,B.jsx)(`button`,{type:`submit`,className:`button button-primary`,children:`Sign in`})]})]})}var xt=[[`j`,`Next post`],[`k`,`Previous post`],[`Enter`,`Open the post`],[`n`,`Write a post`],[`r`,`Reply to the post`],[`l`,`Like the post`],[`f`,`Make the post a favorite`],[`.`,`Show new posts`],[`/`,`Search for people`],[`h`,`Go home`],[`?`,`Show this help`]];function St(e){return e.defaultPrevented||e.ctrlKey||e.metaKey||e.altKey?!1:!e.target.closest(`input, textarea, select, [contenteditable], dialog, [role=menu]`)&&!document.querySelector(`dialog[open]`)}function W(e,t){let n=(0,F.useRef)(t);(0,F.useEffect)(()=>{n.current=t}),(0,F.useEffect)(()=>{let t=t=>{t.key===e&&St(t)&&(t.preventDefault(),n.current())};return addEventListener(`keydown`,t),()=>removeEventListener(`keydown`,t)},[e])}function Ct(){return document.activeElement?.closest(`article[data-post]`)??null}function wt(){return(0,B.jsx)(`dl`,{className:`keys`,children:xt.map(([e,t])=>(0,B.jsxs)(`div`,{children:[(0,B.jsx)(`dt`,{children:(0,B.jsx)(`kbd`,{children:e})}),(0,B.jsx)(`dd`,{children:t})]},e))})}function Tt({children:e}){let[t,n]=(0,F.useState)(null),{session:r}=s(),i=Ot(r.user!==null),a=r.user!==null,c=(0,F.useMemo)(()=>{let e=e=>a?e():n({dialog:`sign-in`});return{signedIn:e,account:i,compose:t=>e(()=>n({dialog:`compose`,draft:t}))}},[a,i]),l=()=>n(null);return Dt(c,()=>n({dialog:`help`})),(0,B.jsxs)(o,{value:c,children:[e,t?.dialog===`compose`&&(0,B.jsx)(V,{title:Et(t.draft),onClose:l,children:(0,B.jsx)(mt,{draft:t.draft,autoFocus:!0,onSent:l})}),t?.dialog===`sign-in`&&(0,B.jsx)(V,{title:`You need to be signed in`,onClose:l,children:(0,B.jsx)(gt,{})}),t?.dialog===`help`&&(0,B.jsx)(V,{title:`Keys`,onClose:l,children:(0,B.jsx)(wt,{})})]})}function Et(e){return e.replyTo?`Reply`:e.repostOf?`Repost with words`:`New post`}function Dt(e,t){let n=e=>Ct()?.querySelector(`[data-action=${e}]`)?.click();W(`n`,()=>e.compose({text:``})),W(`r`,()=>n(`reply`)),W(`l`,()=>n(`like`)),W(`f`,()=>n(`favorite`)),W(`/`,()=>P(`/search`)),W(`h`,()=>P(`/`)),W(`?`,t)}function Ot(e){let t=(0,I.useRelayEnvironment)(),[n,r]=(0,F.useState)(null);return(0,F.useEffect)(()=>{if(!e)return;let{unsubscribe:n}=(0,I.fetchQuery)(t,Be,{}).subscribe({next:e=>r(e?.viewer?.user??null),error:()=>void 0});return n},[t,e]),n}var G=`tideline-home`,kt=At();function At(){let e=sessionStorage.getItem(G);return sessionStorage.removeItem(G),e?JSON.parse(e):null}function jt(e,t){t===null?sessionStorage.removeItem(G):sessionStorage.setItem(G,JSON.stringify({place:e,after:t}))}function Mt(e){return kt?.place===e?kt.after:null}var Nt=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`before`,variableName:`before`},{kind:`Variable`,name:`first`,variableName:`first`},{kind:`Variable`,name:`last`,variableName:`last`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[n,r,i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,r,s,c,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[n,a,o,i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,s,c,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`5ac7c32d2e341d4d42c9aeafd3146fb5`,id:null,metadata:{},name:`HomeTimelinePageQuery`,operationKind:`query`,text:`query HomeTimelinePageQuery(
  $after: String
  $before: String
  $first: Int
  $last: Int
) {
  viewer {
    ...HomeTimeline_viewer_pbnwq
  }
}

fragment HomeTimeline_viewer_pbnwq on Viewer {
  homeFeed(first: $first, after: $after, last: $last, before: $before) {
    edges {
      cursor
      node {
        id
        databaseId
        publishedAt
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      startCursor
      hasPreviousPage
      endCursor
      hasNextPage
    }
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
`}}})();Nt.hash=`9634f1656418834cc9e489a74e53f0b0`;var Pt=(function(){var e=[`homeFeed`];return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],kind:`Fragment`,metadata:{connection:[{count:null,cursor:null,direction:`bidirectional`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:{count:`last`,cursor:`before`},path:e},fragmentPathInResult:[`viewer`],operation:Nt}},name:`HomeTimeline_viewer`,selections:[{alias:`homeFeed`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__HomeTimeline_homeFeed_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null}],type:`Viewer`,abstractKey:null}})();Pt.hash=`9634f1656418834cc9e489a74e53f0b0`;var Ft=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`after`},t={defaultValue:null,kind:`LocalArgument`,name:`first`},n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,a,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,i,c,l,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,o,s,a,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,c,l,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`e686395c0321fc681f45bd00985b1d5e`,id:null,metadata:{},name:`homeQuery`,operationKind:`query`,text:`query homeQuery(
  $first: Int!
  $after: String
) {
  viewer {
    ...HomeTimeline_viewer_2HEEH6
  }
}

fragment HomeTimeline_viewer_2HEEH6 on Viewer {
  homeFeed(first: $first, after: $after) {
    edges {
      cursor
      node {
        id
        databaseId
        publishedAt
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      startCursor
      hasPreviousPage
      endCursor
      hasNextPage
    }
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
`}}})();Ft.hash=`0aef914fe6768d6b3d0a9aee888e75ca`;var It=Ft,Lt=3;function Rt({count:e,authors:t,busy:n,onClick:r}){return(0,F.useEffect)(()=>{document.title=e>0?`(${e}) Home · Tideline`:`Home · Tideline`},[e]),(0,B.jsxs)(`div`,{className:`pill-place`,children:[(0,B.jsx)(`span`,{className:`hidden`,role:`status`,children:e>0?Se(e):``}),e>0&&(0,B.jsxs)(`button`,{type:`button`,className:`pill`,"aria-busy":n,onClick:r,children:[(0,B.jsx)(M,{name:`up`}),t.length>0&&(0,B.jsx)(`span`,{className:`pill-faces`,"aria-hidden":`true`,children:t.slice(0,Lt).map(e=>(0,B.jsx)(j,{user:e,size:`small`},e.databaseId))}),Se(e)]})]})}function zt(e,t,n){let r=n=>t.heights.get(e[n])??t.estimate,i=t.anchor?e.indexOf(t.anchor.key):-1,a=Math.max(i,0),o=i>=0?t.anchor.offset:0,s=a;for(let e=o;s>0&&e>-1*n;)e-=r(--s);let c=a;for(let t=o;c<e.length&&t<2*n;)t+=r(c++);let l=(e,t)=>{let n=0;for(let i=e;i<t;i++)n+=r(i);return n};return{start:s,end:c,before:l(0,s),after:l(c,e.length)}}var Bt=20,K=new Map;function Vt(e,t,n){let r=`${e} ${t}`,i=K.get(r)??{heights:new Map,estimate:n,anchor:null};K.delete(r),K.set(r,i);for(let e of K.keys()){if(K.size<=Bt)break;K.delete(e)}return i}var Ht=6;function Ut(e){let{items:t,keyOf:n,render:r,memory:i,moreAbove:a=!1,onNearTop:o,onNearEnd:s}=e,c=(0,F.useRef)(null),l=t.map(n),u=zt(l,i,innerHeight),d=Wt(c,{keys:l,range:u,memory:i,moreAbove:a});return Gt(e.ref,c,l,i,d),(0,F.useEffect)(()=>{u.end>=l.length-Ht&&s?.(),u.start<=Ht&&o?.()}),(0,B.jsx)(`div`,{ref:c,className:`window-list`,role:`feed`,"aria-label":e.label,"aria-busy":e.busy??!1,style:{paddingTop:u.before,paddingBottom:u.after},children:t.slice(u.start,u.end).map((e,t)=>(0,B.jsx)(`div`,{"data-key":l[u.start+t],className:`window-item`,children:r(e,u.start+t)},l[u.start+t]))})}function Wt(e,t){let[,n]=(0,F.useReducer)(e=>e+1,0),{memory:r}=t,i=(0,F.useRef)(t);return(0,F.useLayoutEffect)(()=>{i.current=t,Kt(e.current,r)}),(0,F.useEffect)(()=>{let t=()=>{if(!e.current)return;let{keys:t,range:a,moreAbove:o}=i.current;r.anchor=qt(e.current,t,r,o);let s=zt(t,r,innerHeight);(s.start!==a.start||s.end!==a.end)&&n()},a=new ResizeObserver(()=>Kt(e.current,r));return e.current&&a.observe(e.current),addEventListener(`scroll`,t,{passive:!0}),addEventListener(`resize`,t),()=>{a.disconnect(),removeEventListener(`scroll`,t),removeEventListener(`resize`,t)}},[e,r]),n}function Gt(e,t,n,r,i){let a=(0,F.useRef)(null);(0,F.useLayoutEffect)(()=>{a.current!==null&&Yt(t.current,a.current)&&(a.current=null)}),(0,F.useImperativeHandle)(e,()=>({move(e){let o=n.indexOf(Jt(t.current)??``),s=o>=0?o+e:Math.max(0,n.indexOf(r.anchor?.key??``)),c=n[Math.min(Math.max(s,0),n.length-1)];c===void 0||Yt(t.current,c)||(a.current=c,r.anchor={key:c,offset:innerHeight/3},i())},toTop(){r.anchor=null,i(),scrollTo({top:0})}}))}var q=e=>[...e.children];function Kt(e,t){if(!e)return;for(let n of q(e)){let{key:e}=n.dataset,{height:r}=n.getBoundingClientRect();e!==void 0&&r>0&&t.heights.set(e,r)}let{anchor:n}=t,r=n&&q(e).find(e=>e.dataset.key===n.key);if(!r)return;let i=r.getBoundingClientRect().top-n.offset;Math.abs(i)>=1&&scrollBy({top:i,behavior:`instant`})}function qt(e,t,n,r){let{top:i}=e.getBoundingClientRect();if(i>=0&&!r)return null;for(let t of q(e)){let e=t.getBoundingClientRect(),{key:n}=t.dataset;if(e.bottom>0&&e.top<innerHeight&&n!==void 0)return{key:n,offset:e.top}}let a=i;for(let e of t){let t=n.heights.get(e)??n.estimate;if(a+t>0)return{key:e,offset:a};a+=t}return null}function Jt(e){let t=document.activeElement?.closest(`.window-item`);return t&&e?.contains(t)?t.dataset.key:void 0}function Yt(e,t){let n=(e&&q(e).find(e=>e.dataset.key===t))?.querySelector(`article`);return n?(n.focus({preventScroll:!0}),n.scrollIntoView({block:`nearest`}),!0):!1}var Xt=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_post`,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},t,n],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[t,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[e,{args:null,kind:`FragmentSpread`,name:`PostCard_quoted`}],storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostActions_post`},{args:null,kind:`FragmentSpread`,name:`PostMenu_post`}],type:`Post`,abstractKey:null}})();Xt.hash=`aeae1b40a2a58bc4aeec71e73a9d06d1`;var Zt={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_quoted`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],type:`Post`,abstractKey:null};Zt.hash=`a62375c7d23d08bbedf7eef86aafc2a1`;function Qt({text:e}){return ee(e).map((e,t)=>{switch(e.kind){case`link`:return(0,B.jsx)(`a`,{href:e.href,target:`_blank`,rel:`noreferrer nofollow`,children:ie(e.href)+(e.text.length>40?`/…`:e.text.replace(/^https?:\/\/[^/]+/,``))},t);case`mention`:return(0,B.jsx)(N,{href:D(e.handle),children:e.text},t);default:return e.text}})}function $t({postId:e,text:t,onDone:n}){let[r,i]=(0,F.useState)(t),a=k(),o=()=>{re(r)>5e3||(n(),r!==t&&a(tt(e,r,new Date().toISOString()),`Not changed`))};return(0,B.jsxs)(`form`,{className:`edit`,onSubmit:e=>{e.preventDefault(),o()},onKeyDown:e=>e.key===`Escape`&&n(),children:[(0,B.jsx)(pt,{label:`Text of the post`,value:r,onChange:i,onSend:o,autoFocus:!0}),(0,B.jsxs)(`div`,{className:`edit-foot`,children:[(0,B.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:n,children:`Cancel`}),(0,B.jsx)(`button`,{type:`submit`,className:`button button-small button-primary`,children:`Save`})]})]})}var en={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostActions_post`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],type:`Post`,abstractKey:null};en.hash=`9de827b1f6d2fdfdb6dd61a461e0cc51`;var tn=80;function J(e){let[t,n]=(0,F.useState)(!1),r=(0,F.useRef)(null),i=(0,F.useRef)(null),a=(0,F.useRef)(null);(0,F.useEffect)(()=>{if(!t)return;let e=a.current;e&&e.getBoundingClientRect().bottom>innerHeight-tn&&e.classList.add(`menu-up`),e?.querySelector(`[role=menuitem]`)?.focus({preventScroll:!0});let i=e=>{r.current?.contains(e.target)||n(!1)};return addEventListener(`pointerdown`,i),()=>removeEventListener(`pointerdown`,i)},[t]);let o=()=>{n(!1),i.current?.focus()};return(0,B.jsxs)(`div`,{ref:r,className:`menu-box`,children:[(0,B.jsx)(`button`,{ref:i,type:`button`,className:e.className??`icon-button`,"aria-haspopup":`menu`,"aria-expanded":t,"aria-label":e.label,onClick:()=>n(!t),children:e.children}),t&&(0,B.jsx)(`div`,{ref:a,className:`menu`,role:`menu`,"aria-label":e.label,tabIndex:-1,onKeyDown:e=>nn(e,a.current,o),children:e.items.map(e=>(0,B.jsxs)(`button`,{type:`button`,role:`menuitem`,tabIndex:-1,className:e.danger?`menu-item menu-danger`:`menu-item`,onClick:()=>{o(),e.run()},children:[(0,B.jsx)(`span`,{children:e.label}),e.hint&&(0,B.jsx)(`small`,{children:e.hint})]},e.label))})]})}function nn(e,t,n){let r=[...t?.querySelectorAll(`[role=menuitem]`)??[]],i=r.indexOf(document.activeElement),a={ArrowDown:i+1,ArrowUp:i-1,Home:0,End:r.length-1}[e.key];if(a!==void 0)r.at(a%r.length)?.focus();else if(e.key===`Escape`||e.key===`Tab`)n();else return;e.preventDefault(),e.stopPropagation()}function rn({post:e}){let t=(0,I.useFragment)(en,e),{compose:n,signedIn:r,account:i}=S(),a=k(),o={name:t.author.name,handle:t.author.handle,text:t.text},{counters:s}=t;return(0,B.jsxs)(`div`,{className:`actions`,role:`group`,"aria-label":`Actions`,children:[(0,B.jsxs)(`button`,{type:`button`,className:`action`,"data-action":`reply`,"aria-label":`Reply, ${_(s.comments,`reply`,`replies`)}`,onClick:()=>n({text:``,replyTo:t.id,about:o}),children:[(0,B.jsx)(M,{name:`reply`}),` `,(0,B.jsx)(Y,{of:s.comments})]}),(0,B.jsxs)(J,{label:`Repost, ${_(s.reposts,`repost`)}`,className:`action`,items:[{label:`Repost`,hint:`Show it to your followers`,run:()=>r(()=>void a(at({text:``,repostOf:t.id},ut(),i?.id??null),`Not reposted`))},{label:`Repost with words`,hint:`Say something about it`,run:()=>n({text:``,repostOf:t.id,about:o})}],children:[(0,B.jsx)(M,{name:`repost`}),` `,(0,B.jsx)(Y,{of:s.reposts})]}),(0,B.jsx)(an,{name:`like`,icon:`like`,label:`Like`,on:t.viewerHasLiked,count:s.likes,one:`like`,onClick:()=>r(()=>void a(Ze(t),t.viewerHasLiked?`Still liked`:`Not liked`))}),(0,B.jsx)(an,{name:`favorite`,icon:`favorite`,label:`Favorite`,on:t.viewerHasFavorited,count:s.favorites,one:`favorite`,onClick:()=>r(()=>void a(et(t),t.viewerHasFavorited?`Still a favorite`:`Not made a favorite`))})]})}function an({name:e,icon:t,label:n,on:r,count:i,one:a,onClick:o}){return(0,B.jsxs)(`button`,{type:`button`,className:`action action-${e}`,"data-action":e,"aria-pressed":r,"aria-label":`${n}, ${_(i,a)}`,onClick:o,children:[(0,B.jsx)(M,{name:t,filled:r}),` `,(0,B.jsx)(Y,{of:i})]})}function Y({of:e}){return(0,B.jsx)(`span`,{className:`count`,children:e>0?y(e):``})}var on=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t=[e];return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostMenu_post`,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`useRelations_user`}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:t,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:t,storageKey:null}],type:`Post`,abstractKey:null}})();on.hash=`5c2bf0e4cc86ef3b49a04a38ada31d85`;var sn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`useRelations_user`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],type:`User`,abstractKey:null};sn.hash=`cc6d4c9048100559422c455c97249aad`;var cn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`followUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationFollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationFollowMutation`,selections:t},params:{cacheID:`d82025c4af432cf7dfdc84680b4d2ac9`,id:null,metadata:{},name:`relationFollowMutation`,operationKind:`mutation`,text:`mutation relationFollowMutation(
  $input: UserIdInput!
) {
  payload: followUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();cn.hash=`9d54221965ca0288f1a84647c72d4364`;var ln=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unfollowUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnfollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnfollowMutation`,selections:t},params:{cacheID:`ba78124df60748a9a0aea5b3cf163f5c`,id:null,metadata:{},name:`relationUnfollowMutation`,operationKind:`mutation`,text:`mutation relationUnfollowMutation(
  $input: UserIdInput!
) {
  payload: unfollowUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();ln.hash=`de1665415316fec067867515ef62479f`;var un=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`muteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationMuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationMuteMutation`,selections:t},params:{cacheID:`359baa413f8d2557a9667bd9310b2704`,id:null,metadata:{},name:`relationMuteMutation`,operationKind:`mutation`,text:`mutation relationMuteMutation(
  $input: UserIdInput!
) {
  payload: muteUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();un.hash=`c53e2783a4b69296cf3d3947b3e96edb`;var dn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unmuteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnmuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnmuteMutation`,selections:t},params:{cacheID:`8b1c8b99a58e93446535564b835a07c0`,id:null,metadata:{},name:`relationUnmuteMutation`,operationKind:`mutation`,text:`mutation relationUnmuteMutation(
  $input: UserIdInput!
) {
  payload: unmuteUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();dn.hash=`a4954af8767c71a8291b3d2800807af9`;var fn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`hideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationHideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationHideMutation`,selections:t},params:{cacheID:`82c6b935c43f2ace1b8da2f7b38f813e`,id:null,metadata:{},name:`relationHideMutation`,operationKind:`mutation`,text:`mutation relationHideMutation(
  $input: UserIdInput!
) {
  payload: hideFromUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();fn.hash=`113eb6f87f516bee3c420d581a14ff56`;var pn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unhideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnhideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnhideMutation`,selections:t},params:{cacheID:`89b60f9f69aabdcb2dee807c1a760671`,id:null,metadata:{},name:`relationUnhideMutation`,operationKind:`mutation`,text:`mutation relationUnhideMutation(
  $input: UserIdInput!
) {
  payload: unhideFromUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();pn.hash=`65ca586a2bba70c98385b9d12c90604f`;var mn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`blockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationBlockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationBlockMutation`,selections:t},params:{cacheID:`ad4ede9c1d56aff8892d721c2da7b0d5`,id:null,metadata:{},name:`relationBlockMutation`,operationKind:`mutation`,text:`mutation relationBlockMutation(
  $input: UserIdInput!
) {
  payload: blockUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();mn.hash=`83c739d2c1821efd7c7dbab04b43e870`;var hn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unblockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnblockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnblockMutation`,selections:t},params:{cacheID:`1caa1bd1927fac962e99b7c4133148de`,id:null,metadata:{},name:`relationUnblockMutation`,operationKind:`mutation`,text:`mutation relationUnblockMutation(
  $input: UserIdInput!
) {
  payload: unblockUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();hn.hash=`dd97e14971391fb593847eb855f28a76`;var X={follow:`viewerFollows`,mute:`viewerMutes`,hide:`viewerHidesFrom`,block:`viewerBlocks`},gn={follow:[cn,ln],mute:[un,dn],hide:[fn,pn],block:[mn,hn]};function _n(e,t){let n=!t[X[e]];return{mutation:gn[e][+!n],variables:{input:{userId:t.id}},optimisticUpdater:r=>{let i=r.get(t.id);i?.setValue(n,X[e]),e===`follow`&&i?.getLinkedRecord(`counters`)?.setValue(t.counters.followers+(n?1:-1),`followers`),vn(e,n)&&yn(r,t.id)},updater:r=>{e===`block`&&r.get(t.id)?.invalidateRecord(),vn(e,n)?yn(r,t.id):bn(r)}}}function vn(e,t){return e===`follow`?!t:e!==`hide`&&t}function yn(e,t){let n=U(e),r=n?.getLinkedRecords(`edges`);if(!n||!r)return;let i=r.filter(e=>{let n=e?.getLinkedRecord(`node`);return![n,n?.getLinkedRecord(`repostOf`)].map(e=>e?.getLinkedRecord(`author`)?.getDataID()).includes(t)});n.setLinkedRecords(i,`edges`)}function bn(e){e.get(L.ROOT_ID)?.getLinkedRecord(`viewer`)?.invalidateRecord()}var xn={follow:{on:`Follow`,off:`Unfollow`,hint:`Posts stand in your home feed`,done:`You follow`,undone:`You no longer follow`},mute:{on:`Mute`,off:`Unmute`,hint:`Keeps posts out of your home feed; nobody is told`,done:`Muted`,undone:`No longer muted`},hide:{on:`Hide from`,off:`Stop hiding from`,hint:`Shows your posts to everyone else`,done:`Your posts are hidden from`,undone:`Your posts are shown again to`},block:{on:`Block`,off:`Unblock`,hint:`Neither sees the other’s posts`,done:`Blocked`,undone:`No longer blocked`,danger:!0}};function Sn(e){let t=(0,I.useFragment)(sn,e),n=k(),r=h();return Object.keys(xn).map(e=>{let i=xn[e],a=t[X[e]],o=`${a?i.off:i.on} @${t.handle}`,s=async()=>{await n(_n(e,t),`Not done: ${o.toLowerCase()}`)&&r.show({tone:`good`,title:`${a?i.undone:i.done} @${t.handle}`})};return{relation:e,on:a,label:o,run:()=>void s(),...!a&&{hint:i.hint},...i.danger&&!a&&{danger:!0}}})}function Cn({post:e,own:t,alone:n,onEdit:r}){let i=(0,I.useFragment)(on,e),[a,o]=(0,F.useState)(!1),{signedIn:s}=S(),c=h(),l=k(),u=Sn(i.author),d=()=>{let e=new URL(A(i.id),location.href).href;navigator.clipboard?.writeText(e).then(()=>c.show({tone:`good`,title:`Link copied`}),()=>c.show({tone:`bad`,title:`The link could not be copied`,text:e}))},f=async()=>{let e=nt({id:i.id,replyTo:i.replyTo?.id??null,repostOf:i.repostOf?.id??null});n&&se(`/`),await l(e,`Not deleted`)&&c.show({tone:`good`,title:`Deleted`})},p=[...t?[{label:`Edit`,run:r},{label:`Delete`,danger:!0,run:()=>o(!0)}]:u.map(e=>({...e,run:()=>s(e.run)})),{label:`Copy link`,run:d}];return(0,B.jsxs)(B.Fragment,{children:[(0,B.jsx)(J,{label:`More on this post by @${i.author.handle}`,items:p,children:(0,B.jsx)(M,{name:`more`})}),a&&(0,B.jsx)(Ve,{title:`Delete this post?`,text:`It leaves every feed at once, and cannot be brought back.`,yes:`Delete`,onYes:()=>void f(),onClose:()=>o(!1)})]})}function Z({post:e,position:t,total:n,alone:r=!1}){let i=(0,I.useFragment)(Xt,e),{session:a}=s(),[o,c]=(0,F.useState)(!1),l=ot(i.id),u=a.user?.id===i.author.databaseId,d=()=>!r&&!l&&P(A(i.id)),f=`${i.id}-author ${i.id}-text`;return(0,B.jsxs)(`article`,{className:`post${r?` post-alone`:``}${l?` post-pending`:``}`,tabIndex:0,"data-post":i.id,"aria-labelledby":f,"aria-posinset":t,"aria-setsize":n,"aria-busy":l,onClick:e=>Tn(e)&&d(),onKeyDown:e=>e.key===`Enter`&&e.target===e.currentTarget&&d(),children:[(0,B.jsx)(N,{href:D(i.author.handle),className:`post-face`,tabIndex:-1,"aria-hidden":`true`,children:(0,B.jsx)(j,{user:i.author})}),(0,B.jsxs)(`div`,{className:`post-main`,children:[(0,B.jsx)(wn,{post:i,alone:r,pending:l}),(0,B.jsxs)(`div`,{id:`${i.id}-text`,children:[o?(0,B.jsx)($t,{postId:i.id,text:i.text,onDone:()=>c(!1)}):(0,B.jsx)(Dn,{of:i.text}),(0,B.jsx)(kn,{urls:i.media}),i.repostOf?(0,B.jsx)(En,{post:i.repostOf}):i.kind===`REPOST`&&(0,B.jsx)(On,{})]}),!l&&(0,B.jsxs)(`footer`,{className:`post-foot`,children:[(0,B.jsx)(rn,{post:i}),(0,B.jsx)(Cn,{post:i,own:u,alone:r,onEdit:()=>c(!0)})]})]})]})}function wn({post:e,alone:t,pending:n}){let{author:r}=e;return(0,B.jsxs)(`header`,{className:`post-head`,children:[(0,B.jsxs)(`span`,{id:`${e.id}-author`,className:`post-by`,children:[(0,B.jsx)(N,{href:D(r.handle),className:`post-name`,children:r.name}),` `,(0,B.jsxs)(`span`,{className:`post-handle`,children:[`@`,r.handle]}),e.kind===`REPOST`&&(0,B.jsxs)(`span`,{className:`post-note`,children:[` `,(0,B.jsx)(M,{name:`repost`}),` reposted`]})]}),(0,B.jsxs)(`span`,{className:`post-time`,children:[n?`Sending…`:(0,B.jsx)(N,{href:A(e.id),className:`quiet-link`,children:(0,B.jsx)(oe,{moment:e.publishedAt})}),e.editedAt&&(0,B.jsx)(`span`,{title:`Edited ${new Date(e.editedAt).toLocaleString()}`,children:` · edited`})]}),e.replyTo&&!t&&(0,B.jsxs)(N,{href:A(e.replyTo.id),className:`post-context quiet-link`,children:[(0,B.jsx)(M,{name:`reply`}),` in answer to @`,e.replyTo.author.handle]})]})}function Tn(e){return!e.target.closest(`a, button, input, textarea, [role=menu], dialog`)&&!getSelection()?.toString()}function En({post:e}){let t=(0,I.useFragment)(Zt,e);return(0,B.jsxs)(`div`,{className:`quoted`,children:[(0,B.jsxs)(`p`,{className:`post-by`,children:[(0,B.jsx)(j,{user:t.author,size:`small`}),(0,B.jsx)(N,{href:D(t.author.handle),className:`post-name`,children:t.author.name}),` `,(0,B.jsxs)(`span`,{className:`post-handle`,children:[`@`,t.author.handle]}),(0,B.jsx)(N,{href:A(t.id),className:`quiet-link post-time`,children:(0,B.jsx)(oe,{moment:t.publishedAt})})]}),(0,B.jsx)(Dn,{of:t.text}),(0,B.jsx)(kn,{urls:t.media})]})}function Dn({of:e}){return e&&(0,B.jsx)(`p`,{className:`post-text`,children:(0,B.jsx)(Qt,{text:e})})}function On(){return(0,B.jsx)(`p`,{className:`quoted quoted-gone`,children:`What was shown here is not there any more.`})}function kn({urls:e}){return e.length?(0,B.jsx)(`ul`,{className:`media`,"aria-label":`Media`,children:e.map((e,t)=>(0,B.jsx)(`li`,{children:(0,B.jsxs)(`a`,{href:e,target:`_blank`,rel:`noreferrer nofollow`,children:[(0,B.jsx)(M,{name:`picture`}),` `,(0,B.jsx)(`span`,{children:ie(e)}),(0,B.jsx)(`span`,{className:`hidden`,children:`opens elsewhere`})]})},t))}):null}var An=150;function Q(e){let{edges:t,hasNext:n,loadNext:r,loadingNext:i,above:a,line:o}=e,[s,c]=(0,F.useState)(null),[u]=(0,F.useState)(()=>{let n=Vt(O.get().key,e.label,An);return a?.more&&t[0]&&(n.anchor??={key:t[0].node.id,offset:0}),n}),d=()=>{!i&&n&&(c(null),r(20,{onComplete:c}))};return!t.length&&!n?e.empty:(0,B.jsxs)(B.Fragment,{children:[(0,B.jsx)(Ut,{ref:e.ref,label:e.label,items:t,keyOf:e=>e.node.id,memory:u,busy:i||(a?.loading??!1),moreAbove:a?.more??!1,onNearEnd:()=>s||d(),...a&&{onNearTop:()=>a.more&&a.load()},render:(e,r)=>(0,B.jsxs)(B.Fragment,{children:[o&&o.before===e.node.id&&r>0&&(0,B.jsx)(jn,{text:o.text}),(0,B.jsx)(Z,{post:e.node,position:r+1,total:n?-1:t.length})]})}),(0,B.jsx)(l,{loading:i,failure:s,hasMore:n,retry:d,end:e.end})]})}function jn({text:e}){return(0,B.jsxs)(`div`,{className:`tide-line`,role:`separator`,"aria-label":e,children:[(0,B.jsx)(`svg`,{viewBox:`0 0 600 14`,preserveAspectRatio:`none`,"aria-hidden":`true`,children:(0,B.jsx)(`path`,{d:`M0 7c12.5-8 25-8 37.5 0s25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0`})}),(0,B.jsx)(`span`,{"aria-hidden":`true`,children:e})]})}var Mn=E({posts:[],counted:0});function Nn(e,t,n){let r=(0,I.useRelayEnvironment)(),i=w(),{posts:a,counted:o}=T(i?.state??Mn),s=(0,F.useMemo)(()=>{let n=e.map(e=>({...e.node,cursor:e.cursor}));return a.map(e=>({post:e,at:be(e,n,t)}))},[a,e,t]);(0,F.useEffect)(()=>{i?.setTop(t),n&&i?.count()},[i,t,n]),(0,F.useEffect)(()=>{let e=s.filter(({at:e})=>e!==`above`);if(e.length&&i){for(let{post:t,at:n}of e)Pn(r,t,n);i.settle(new Set(e.map(({post:e})=>e.id)))}},[r,i,s]);let c=s.filter(({at:e})=>e===`above`).map(({post:e})=>e),l=[...new Map(c.reverse().map(({author:e})=>[e.databaseId,e])).values()];return{count:xe(c.length,o),authors:l}}function Pn(e,t,n){typeof n!=`string`&&(0,I.commitLocalUpdate)(e,e=>{let r=U(e),i=e.get(t.id);if(!r||!i)return;let a=L.ConnectionHandler.createEdge(e,r,i,`FeedEdge`);a.setValue(t.cursor,`cursor`),L.ConnectionHandler.insertEdgeBefore(r,a,n.before)})}function Fn(e){let t=(0,F.useRef)(e);(0,F.useEffect)(()=>{t.current=e}),(0,F.useEffect)(()=>{let e=()=>{let e=In(),n=t.current.findIndex(t=>t.node.id===e);jt(O.get().key,n>0?t.current[n-1]?.cursor??null:null)};return addEventListener(`pagehide`,e),()=>removeEventListener(`pagehide`,e)},[])}function In(){return[...document.querySelectorAll(`.window-item`)].find(e=>e.getBoundingClientRect().bottom>0)?.dataset.key}var Ln=60;function Rn({viewer:e}){let t=(0,I.usePaginationFragment)(Pt,e),{edges:n,pageInfo:r}=t.data.homeFeed,i=(0,F.useMemo)(()=>n.filter(e=>e.node!=null),[n]),a=(0,F.useRef)(null),o=Nn(i,r.startCursor??null,r.hasPreviousPage),{line:s,toNewest:c,busy:l}=zn({pages:t,pageInfo:r,list:a,first:i[0]?.node.id??null,missing:o.count});Fn(i),W(`.`,c),W(`j`,()=>a.current?.move(1)),W(`k`,()=>a.current?.move(-1));let{loadPrevious:u,isLoadingPrevious:d}=t,[f,p]=(0,F.useState)(!1),m=(0,F.useCallback)(()=>{d||f||u(20,{onComplete:e=>p(e!==null)})},[u,d,f]);return(0,B.jsxs)(B.Fragment,{children:[(0,B.jsx)(Rt,{count:o.count,authors:o.authors,busy:l,onClick:c}),(0,B.jsx)(Q,{ref:a,label:`Home feed`,edges:i,hasNext:t.hasNext,loadNext:t.loadNext,loadingNext:t.isLoadingNext,above:{more:r.hasPreviousPage,loading:d,load:m},line:s?{before:s,text:`New down to here`}:null,end:`You have reached the shore. There is nothing older.`,empty:(0,B.jsxs)(x,{icon:`home`,title:`Your feed is calm`,children:[(0,B.jsx)(`p`,{children:`It fills with the posts of people you follow.`}),(0,B.jsx)(N,{className:`button button-primary`,href:`/search`,children:`Find people to follow`})]})})]})}function zn({pages:e,pageInfo:t,list:n,first:r,missing:i}){let a=(0,I.useRelayEnvironment)(),o=w(),s=h(),[c,l]=(0,F.useState)(null),[u,d]=(0,F.useState)(!1),{loadPrevious:f,isLoadingPrevious:m}=e,{hasPreviousPage:g,startCursor:_}=t,v=async()=>{if(u)return;d(!0);let e=o?.announced()??[];try{_&&!g&&!m&&i<=Ln?await new Promise((e,t)=>f(100,{onComplete:n=>n?t(n):e()})):await(0,I.fetchQuery)(a,It,{first:20,after:null},{fetchPolicy:`network-only`}).toPromise(),o?.read(e),i>0&&l(r),n.current?.toTop()}catch(e){let{title:t,help:n,requestId:r}=p(e);s.show({tone:`bad`,title:t,text:n,requestId:r,action:{label:`Try again`,run:()=>void v()}})}finally{d(!1)}},y=(0,F.useRef)(v);return(0,F.useEffect)(()=>{y.current=v}),{line:c,busy:u,toNewest:(0,F.useCallback)(()=>void y.current(),[])}}function Bn({attempt:e}){let[t]=(0,F.useState)(()=>O.get().key),n=e===0?Mt(t):null,{viewer:r}=(0,I.useLazyLoadQuery)(It,{first:20,after:n},{fetchKey:e});return(0,B.jsxs)(B.Fragment,{children:[(0,B.jsx)(`h1`,{className:`hidden`,tabIndex:-1,children:`Home`}),(0,B.jsx)(`div`,{className:`home-composer`,children:(0,B.jsx)(mt,{draft:{text:``}})}),r&&(0,B.jsx)(Rn,{viewer:r})]})}var Vn=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`first`},t={defaultValue:null,kind:`LocalArgument`,name:`id`},n=[{kind:`Variable`,name:`id`,variableName:`id`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},o={args:null,kind:`FragmentSpread`,name:`PostCard_post`},s=[{kind:`Variable`,name:`first`,variableName:`first`}],c={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},m={alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},h={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},g={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},_={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},v={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},y={alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},b={alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,l,a,i,u,d,f,p,m],storageKey:null},x={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[a,i,r],storageKey:null}],storageKey:null},S={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,g,_,v,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,a,i,r],storageKey:null}],storageKey:null},C={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},w={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},T={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{fragment:{kind:`InlineFragment`,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,o],storageKey:null},o,{args:s,kind:`FragmentSpread`,name:`PostComments_post`}],type:`Post`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[c,r,{kind:`InlineFragment`,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a,r,l,u,d,f,p,m],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,h,g,_,v,y,b,x,S,C,w,T],storageKey:null},h,g,_,v,y,S,C,w,T,{alias:null,args:s,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,h,g,_,v,y,b,x,S,C,w,T,c],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:s,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`e33330cd7fc639fb1de04e2c9ce86c19`,id:null,metadata:{},name:`PostPageQuery`,operationKind:`query`,text:`query PostPageQuery(
  $id: ID!
  $first: Int!
) {
  node(id: $id) {
    __typename
    ... on Post {
      id
      author {
        name
        handle
        id
      }
      replyTo {
        id
        ...PostCard_post
      }
      ...PostCard_post
      ...PostComments_post_3ASum4
    }
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

fragment PostComments_post_3ASum4 on Post {
  comments(first: $first) {
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
`}}})();Vn.hash=`8d43625e4928efb1f23a574c41d4f7ff`;var Hn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`id`}],t=[{kind:`Variable`,name:`id`,variableName:`id`}],n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`PostComments_post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{kind:`InlineFragment`,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[i,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`581eb826f66d100e9f7ee934ead8ab15`,id:null,metadata:{},name:`PostCommentsPageQuery`,operationKind:`query`,text:`query PostCommentsPageQuery(
  $after: String
  $first: Int
  $id: ID!
) {
  node(id: $id) {
    __typename
    ...PostComments_post_2HEEH6
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

fragment PostComments_post_2HEEH6 on Post {
  comments(first: $first, after: $after) {
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
`}}})();Hn.hash=`3b9bf2976104d5471d7847fa8315b561`;var Un=(function(){var e=[`comments`],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`node`],operation:Hn,identifierInfo:{identifierField:`id`,identifierQueryVariableName:`id`}}},name:`PostComments_post`,selections:[{alias:`comments`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__PostComments_comments_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},t],type:`Post`,abstractKey:null}})();Un.hash=`3b9bf2976104d5471d7847fa8315b561`;function Wn({post:e}){let{data:t,hasNext:n,loadNext:r,isLoadingNext:i}=(0,I.usePaginationFragment)(Un,e);return(0,B.jsx)(`section`,{"aria-label":`Replies`,children:(0,B.jsx)(Q,{label:`Replies to the post`,edges:t.comments.edges.filter(e=>e.node!=null),hasNext:n,loadNext:r,loadingNext:i,empty:(0,B.jsx)(`p`,{className:`list-end`,children:`Nobody has replied yet.`}),end:`Those are all replies.`})})}function Gn({id:e,attempt:t}){let{node:n}=(0,I.useLazyLoadQuery)(Vn,{id:e,first:20},{fetchKey:t,fetchPolicy:`store-and-network`}),{session:r}=s(),i=n?.post;return i?(0,B.jsxs)(B.Fragment,{children:[(0,B.jsx)(ue,{title:`Post by ${i.author.name}`,back:!0}),i.replyTo&&(0,B.jsx)(`div`,{className:`thread-parent`,children:(0,B.jsx)(Z,{post:i.replyTo})}),(0,B.jsx)(Z,{post:i,alone:!0}),r.user&&(0,B.jsx)(`div`,{className:`home-composer`,children:(0,B.jsx)(mt,{draft:{text:``,replyTo:i.id}},i.id)}),(0,B.jsx)(Wn,{post:i})]}):(0,B.jsxs)(B.Fragment,{children:[(0,B.jsx)(ue,{title:`Post`,back:!0}),(0,B.jsx)(x,{icon:`reply`,title:`There is no such post`,children:(0,B.jsx)(`p`,{children:`It was deleted, or it is not shown to you.`})})]})}function Kn({label:e=`For developers`}){return(0,B.jsxs)(`nav`,{className:`server-links`,"aria-label":e,children:[(0,B.jsx)(`a`,{href:`/graphiql`,children:`GraphiQL`}),(0,B.jsx)(`a`,{href:`/schema.graphql`,children:`Schema`}),(0,B.jsx)(`a`,{href:`/tasks`,children:`Task queues`}),(0,B.jsx)(`a`,{href:`/healthz`,children:`Health`})]})}function qn(){return(0,F.useEffect)(()=>{document.title=`Tideline`},[]),(0,B.jsxs)(`div`,{className:`welcome`,children:[(0,B.jsxs)(`div`,{className:`welcome-words`,children:[(0,B.jsx)(m,{}),(0,B.jsx)(`h1`,{tabIndex:-1,children:`Tideline`}),(0,B.jsx)(`p`,{className:`lead`,children:`Everything the people you follow have written. In order, and all of it.`}),(0,B.jsx)(Kn,{})]}),(0,B.jsx)(gt,{}),(0,B.jsx)(Jn,{})]})}function Jn(){return(0,B.jsxs)(`svg`,{className:`sea`,viewBox:`0 0 1200 220`,preserveAspectRatio:`none`,"aria-hidden":`true`,focusable:`false`,children:[(0,B.jsx)(`path`,{d:`M0 70c100-60 200-60 300 0s200 60 300 0 200-60 300 0 200 60 300 0v150H0Z`}),(0,B.jsx)(`path`,{d:`M0 120c75-44 150-44 225 0s150 44 225 0 150-44 225 0 150 44 225 0 150-44 300 0v100H0Z`}),(0,B.jsx)(`path`,{d:`M0 165c120-38 240-38 360 0s240 38 360 0 240-38 480 0v55H0Z`})]})}var Yn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[t],storageKey:null},{alias:null,args:[{kind:`Variable`,name:`first`,variableName:`first`}],concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null}],storageKey:null}],storageKey:null}],storageKey:null},{kind:`ClientExtension`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__id`,storageKey:null}]}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveNowQuery`,selections:n,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveNowQuery`,selections:n},params:{cacheID:`c5c0bef5aa34d4f3bb22a7905abadfe6`,id:null,metadata:{},name:`LiveNowQuery`,operationKind:`query`,text:`query LiveNowQuery(
  $first: Int!
) {
  viewer {
    user {
      id
    }
    liveFeed(first: $first) {
      nodes {
        id
        title
        state
        scheduledAt
        startedAt
        endedAt
        host {
          id
          databaseId
          name
          handle
          viewerFollows
          viewerMutes
          viewerBlocks
        }
      }
    }
  }
}
`}}})();Yn.hash=`1751d078427ff254437a3dfebce7822a`;var Xn=class extends F.Component{state={failed:!1};static getDerivedStateFromError(){return{failed:!0}}render(){return this.state.failed?null:this.props.children}};function Zn(e,t,n){let r=(0,I.useRelayEnvironment)(),i=JSON.stringify(n),a=(0,F.useCallback)(()=>{(0,I.fetchQuery)(r,t,JSON.parse(i),{fetchPolicy:`network-only`}).subscribe({error:()=>void 0})},[r,t,i]);(0,I.useSubscribeToInvalidationState)(e?[e]:[],a)}var Qn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`ids`}],t=[{kind:`Variable`,name:`ids`,variableName:`ids`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`useFreshStatesQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[{fragment:{kind:`InlineFragment`,selections:[n,{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],type:`LiveSession`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`session`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`useFreshStatesQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},n,{kind:`InlineFragment`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},n],storageKey:null}],type:`LiveSession`,abstractKey:null}],storageKey:null}]},params:{cacheID:`e2eb35752487c1f18eeb9e12d79d3d3f`,id:null,metadata:{},name:`useFreshStatesQuery`,operationKind:`query`,text:`query useFreshStatesQuery(
  $ids: [ID!]!
) {
  nodes(ids: $ids) {
    __typename
    ... on LiveSession {
      id
      ...LiveCard_session
    }
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
`}}})();Qn.hash=`bec7d7d0ed7ee98ea27d375bb8ff679a`;var $n=1e4,er=100;function tr(e){let t=(0,I.useRelayEnvironment)(),n=e.filter(({node:e})=>e!=null&&e.state!==`REPLAY`).map(({node:e})=>e.id),r=(0,F.useRef)(n);(0,F.useEffect)(()=>{r.current=n.slice(0,er)}),(0,F.useEffect)(()=>{let e=()=>{!document.hidden&&r.current.length&&(0,I.fetchQuery)(t,Qn,{ids:r.current},{fetchPolicy:`network-only`}).subscribe({error:()=>void 0})},n=setInterval(e,$n);return document.addEventListener(`visibilitychange`,e),()=>{clearInterval(n),document.removeEventListener(`visibilitychange`,e)}},[t])}var nr=4;function rr(){return(0,B.jsx)(Xn,{children:(0,B.jsx)(F.Suspense,{children:(0,B.jsx)(ar,{})})})}var ir=Yn;function ar(){let{viewer:e}=(0,I.useLazyLoadQuery)(ir,{first:nr});Zn(e?.__id,ir,{first:nr});let t=t=>t.id===e?.user.id||t.viewerFollows&&!t.viewerMutes&&!t.viewerBlocks,n=a(`second`);tr((e?.liveFeed.nodes??[]).map(e=>({node:e})));let r=e?.liveFeed.nodes.filter(({state:e,host:n})=>e!==`REPLAY`&&t(n))??[];return r.length?(0,B.jsxs)(`section`,{className:`card live-now`,"aria-labelledby":`live-now-title`,children:[(0,B.jsx)(`h2`,{id:`live-now-title`,children:`On air and coming up`}),(0,B.jsx)(`ul`,{children:r.map(e=>(0,B.jsxs)(`li`,{className:`live-small live-${e.state.toLowerCase()}`,children:[(0,B.jsx)(j,{user:e.host,size:`small`}),(0,B.jsxs)(`span`,{className:`live-words`,children:[(0,B.jsx)(`span`,{className:`live-title`,children:e.title}),(0,B.jsx)(`span`,{className:`live-clock`,children:e.host.name}),(0,B.jsx)(`span`,{className:`live-clock`,children:ae(e,n)})]})]},e.id))}),(0,B.jsx)(N,{href:`/live`,className:`card-more`,children:`All sessions`})]}):null}function or({route:e}){let{session:t}=s(),[n,r]=(0,F.useState)(``);return(0,B.jsxs)(`aside`,{className:`beside`,"aria-label":`Beside the page`,children:[e.name!==`search`&&(0,B.jsxs)(`form`,{className:`search`,role:`search`,"aria-label":`People`,onSubmit:e=>{e.preventDefault(),P(ce(n.trim()))},children:[(0,B.jsx)(M,{name:`search`}),(0,B.jsx)(`input`,{type:`search`,"aria-label":`Find people`,placeholder:`Find people`,maxLength:100,value:n,onChange:e=>r(e.target.value)})]}),t.user&&e.name!==`live`&&(0,B.jsx)(rr,{}),(0,B.jsx)(Kn,{}),(0,B.jsxs)(`p`,{className:`hint`,children:[`Press `,(0,B.jsx)(`kbd`,{children:`?`}),` for the keys.`]})]})}var sr=E({posts:[],counted:0});function cr({route:e}){let{session:t}=s(),{compose:n,account:r}=S(),{posts:i,counted:a}=T(w()?.state??sr),o=e.name!==`home`&&xe(i.length,a)>0,c=r?.handle??t.user?.handle,l=t=>e.name===t,u=[{name:`home`,label:`Home`,icon:`home`,href:`/`,here:l(`home`)},{name:`search`,label:`Search`,icon:`search`,href:`/search`,here:l(`search`)},{name:`live`,label:`Live`,icon:`live`,href:`/live`,here:l(`live`)},...c?[{name:`profile`,label:`Profile`,icon:`person`,href:D(c),here:e.name===`profile`&&e.handle===c}]:[],{name:`settings`,label:`Settings`,icon:`settings`,href:`/settings`,here:l(`settings`)}];return(0,B.jsxs)(`header`,{className:`side`,children:[(0,B.jsxs)(N,{href:`/`,className:`brand`,"aria-label":`Tideline, home`,children:[(0,B.jsx)(m,{}),(0,B.jsx)(`span`,{children:`Tideline`})]}),(0,B.jsx)(`nav`,{className:`ways`,"aria-label":`Main`,children:u.map(e=>(0,B.jsxs)(N,{href:e.href,className:`way`,"aria-current":e.here?`page`:void 0,children:[(0,B.jsx)(M,{name:e.icon,filled:!1}),(0,B.jsx)(`span`,{children:e.label}),e.name===`home`&&o&&(0,B.jsx)(`span`,{className:`dot`,children:(0,B.jsx)(`span`,{className:`hidden`,children:`, new posts`})})]},e.name))}),t.user?(0,B.jsxs)(`button`,{type:`button`,className:`button button-primary side-compose`,onClick:()=>n({text:``}),children:[(0,B.jsx)(M,{name:`compose`}),` `,(0,B.jsx)(`span`,{children:`New post`})]}):(0,B.jsxs)(N,{href:`/`,className:`button button-primary side-compose`,children:[(0,B.jsx)(M,{name:`key`}),` `,(0,B.jsx)(`span`,{children:`Sign in`})]})]})}var lr=0,ur=[],dr=[];function $(e){let t=null,n=!1,r=async()=>{let t=lr;try{return await e()}catch{if(t!==lr)return r();throw n=!0,new u(`UNREACHABLE`,`the page cannot be loaded`)}},i=()=>t??=r();return ur.push(()=>{n&&=(t=null,!1)}),dr.push(()=>void i().catch(()=>void 0)),function(e){let t=(0,F.use)(i()).default;return(0,B.jsx)(t,{...e})}}var fr=$(()=>z(()=>import(`./client-ProfilePage-974172e8.js`),__vite__mapDeps([0,1,2,3,4,5]))),pr=$(()=>z(()=>import(`./client-SearchPage-f88a4501.js`),__vite__mapDeps([6,1,2,5,3]))),mr=$(()=>z(()=>import(`./client-LivePage-3c2d1438.js`),__vite__mapDeps([7,1,2,4]))),hr=$(()=>z(()=>import(`./client-SettingsPage-82495cad.js`),__vite__mapDeps([8,1,2,3])));function gr(){lr++;for(let e of ur)e()}function _r(){for(let e of dr)e()}function vr(){let{reachable:e,limitedUntil:t}=T(f().status);return(0,B.jsxs)(`div`,{className:`status-place`,role:`status`,children:[!e&&(0,B.jsxs)(`p`,{className:`status-bar`,children:[(0,B.jsx)(M,{name:`offline`}),` `,navigator.onLine?`The server does not answer.`:`You are offline.`,` What you see may be old.`]}),e&&t>0&&(0,B.jsx)(yr,{until:t})]})}function yr({until:e}){let t=Math.ceil((e-a(`second`))/1e3);return t<=0?null:(0,B.jsxs)(`p`,{className:`status-bar`,children:[(0,B.jsx)(M,{name:`clock`}),` The server asks for a pause of `,t,` s.`]})}var br=new Set([`home`,`profile`,`post`]);function xr(){let e=T(O),{session:t}=s(),{compose:n}=S(),r=le(e.path,e.search),i=wr(e),a=r.name===`home`&&(!t.user||me(e.search,location.href)!==null);return(0,B.jsxs)(`div`,{className:a?`shell shell-welcome`:`shell`,children:[(0,B.jsx)(`a`,{className:`skip`,href:`#main`,children:`Skip to the page`}),(0,B.jsx)(vr,{}),!a&&(0,B.jsx)(cr,{route:r}),(0,B.jsx)(`main`,{id:`main`,ref:i,tabIndex:-1,children:(0,B.jsx)(fe,{onRetry:gr,children:t=>(0,B.jsx)(F.Suspense,{fallback:(0,B.jsx)(c,{label:`Loading the page`}),children:a?(0,B.jsx)(qn,{}):(0,B.jsx)(Sr,{route:r,attempt:t},e.key)})},e.path)}),!a&&(0,B.jsx)(or,{route:r}),!a&&t.user&&br.has(r.name)&&(0,B.jsx)(`button`,{type:`button`,className:`compose-button`,"aria-label":`Write a post`,onClick:()=>n({text:``}),children:(0,B.jsx)(M,{name:`compose`})})]})}function Sr({route:e,attempt:t}){switch(e.name){case`home`:return(0,B.jsx)(Bn,{attempt:t});case`profile`:return(0,B.jsx)(fr,{handle:e.handle,tab:e.tab,attempt:t});case`post`:return(0,B.jsx)(Gn,{id:e.id,attempt:t});case`live`:return(0,B.jsx)(Cr,{what:`live sessions`,children:(0,B.jsx)(mr,{attempt:t})});case`search`:return(0,B.jsx)(pr,{query:e.query});case`settings`:return(0,B.jsx)(hr,{attempt:t});case`lost`:return(0,B.jsxs)(B.Fragment,{children:[(0,B.jsx)(ue,{title:`Nothing here`}),(0,B.jsx)(x,{icon:`search`,title:`There is no such page`,children:(0,B.jsx)(N,{className:`button`,href:`/`,children:`Go home`})})]})}}function Cr({what:e,children:t}){let{session:n}=s();return n.user?t:(0,B.jsxs)(x,{icon:`key`,title:`Sign in first`,children:[(0,B.jsxs)(`p`,{children:[`The `,e,` of people you follow are shown to you alone.`]}),(0,B.jsx)(N,{className:`button button-primary`,href:`/`,children:`Sign in`})]})}function wr(e){let t=(0,F.useRef)(null),n=(0,F.useRef)(!0);return(0,F.useEffect)(()=>{n.current?n.current=!1:e.returned||(scrollTo({top:0,behavior:`instant`}),t.current?.contains(document.activeElement)||t.current?.focus({preventScroll:!0}))},[e.key,e.returned]),t}function Tr({connection:e}){let[t,n]=(0,F.useState)(null),[r,i]=(0,F.useState)(null),a=(0,F.useCallback)(()=>{te().then(e=>{i(null),n(e)},e=>i(e))},[]);(0,F.useEffect)(a,[a]);let o=(0,F.useMemo)(()=>t&&{session:t,change:n},[t]);return(0,B.jsx)(he,{value:e,children:(0,B.jsxs)(d,{children:[r!==null&&!o&&(0,B.jsx)(`main`,{className:`lone`,children:(0,B.jsx)(v,{error:r,retry:a})}),r===null&&!o&&(0,B.jsx)(`main`,{className:`lone`,children:(0,B.jsx)(c,{label:`Loading Tideline`})}),o&&(0,B.jsx)(de,{value:o,children:(0,B.jsx)(Er,{connection:e,user:o.session.user?.id??null,signedOut:a},o.session.user?.id??``)})]})})}function Er({connection:e,user:t,signedOut:n}){let[{environment:r,news:i}]=(0,F.useState)(()=>{let r=new Re(`/graphql`),i=Me(e,r,{known:t!==null,signedOut:n});return{environment:i,news:t===null?null:new Te(i,r)}});return(0,F.useEffect)(()=>i?.start(),[i]),(0,B.jsx)(I.RelayEnvironmentProvider,{environment:r,children:(0,B.jsx)(C,{value:i,children:(0,B.jsx)(Tt,{children:(0,B.jsx)(xr,{})})})})}var Dr=[`system`,`light`,`dark`],Or=`tideline-theme`;function kr(){let e=localStorage.getItem(Or);return Dr.find(t=>t===e)??`system`}function Ar(e){e===`system`?(localStorage.removeItem(Or),delete document.documentElement.dataset.theme):(localStorage.setItem(Or,e),document.documentElement.dataset.theme=e)}var jr=1e3,Mr=3e4,Nr=class{healthUrl;status=E({reachable:!0,limitedUntil:0});#e;#t=jr;#n=0;constructor(e){this.healthUrl=e,addEventListener(`offline`,()=>this.lost()),addEventListener(`online`,()=>void this.#i()),navigator.onLine||this.lost()}asked(){let e=this.#n;return()=>{e===this.#n&&this.#r()}}#r(){clearTimeout(this.#e),this.#e=void 0,this.#t=jr,this.status.get().reachable||this.status.set({...this.status.get(),reachable:!0})}lost(){this.status.get().reachable&&(this.#n++,this.status.set({...this.status.get(),reachable:!1})),this.#e??=setTimeout(()=>void this.#i(),this.#t)}limited(e){this.status.set({...this.status.get(),limitedUntil:Date.now()+Math.max(1,e)*1e3})}async#i(){clearTimeout(this.#e),this.#e=void 0;let e=this.asked();try{await fetch(this.healthUrl,{cache:`no-store`}),e()}catch{this.#t=Math.min(this.#t*2,Mr),this.lost()}}},Pr=2e3;Ar(kr()),ne();var Fr=document.getElementById(`client`),Ir=e=>{e instanceof u||console.error(e)},Lr=new Nr(`/healthz`);Lr.status.subscribe(()=>{Lr.status.get().reachable&&(gr(),_r())}),Fr&&(0,ge.createRoot)(Fr,{onCaughtError:Ir}).render((0,B.jsx)(Tr,{connection:Lr})),setTimeout(_r,Pr);export{Zn as a,Sn as c,V as d,tr as i,J as l,Ar as n,Kn as o,kr as r,Q as s,Dr as t,wt as u};